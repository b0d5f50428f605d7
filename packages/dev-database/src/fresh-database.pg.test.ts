import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from './cluster.ts'
import { freshDatabase } from './fresh-database.ts'
import { startCluster } from './start-cluster.ts'
import { templateDatabase, type TemplateDatabase } from './template-database.ts'
import { testServer } from './test-server.ts'
import { withClient } from './with-client.ts'

const rowsOf = async (url: string, sql: string): Promise<unknown[]> =>
  withClient(url, async (client) => (await client.query(sql)).rows)

const prepare = async (url: string) => {
  await rowsOf(url, 'CREATE SCHEMA octavo')
  await rowsOf(
    url,
    'CREATE TABLE octavo.note AS SELECT n, repeat($$x$$, 100) AS text FROM generate_series(1, 50000) n',
  )
}

const failing = async () => {
  throw new Error('it cannot be prepared')
}

const databasesOf = async (url: string) =>
  rowsOf(url, "SELECT datname FROM pg_database WHERE datname LIKE 'octavo\\_test\\_%'")

describe('fresh databases', () => {
  let cluster: Cluster
  let template: TemplateDatabase

  beforeAll(async () => {
    cluster = await startCluster()
    template = await templateDatabase(cluster, prepare)
  })

  afterAll(async () => {
    await cluster.stop()
  })

  it('are prepared copies made in less than a second', async () => {
    // The quickest of three, because others may use the machine.
    const tries: number[] = []
    for (let i = 0; i < 2; i += 1) {
      const startedAt = performance.now()
      const copy = await freshDatabase(template.facts)
      tries.push(performance.now() - startedAt)
      await copy.drop()
    }
    const before = performance.now()
    const database = await freshDatabase(template.facts)
    const milliseconds = Math.min(...tries, performance.now() - before)
    process.stdout.write(`a fresh database took ${milliseconds.toFixed(0)} ms\n`)
    expect(await rowsOf(database.url, 'SELECT count(*)::int AS count FROM octavo.note')).toEqual([
      { count: 50_000 },
    ])
    expect(milliseconds).toBeLessThan(1_000)
    await database.drop()
  })

  it('do not see each other, even if many are requested at once', async () => {
    const databases = await Promise.all(Array.from({ length: 8 }, () => freshDatabase(template.facts)))
    expect(new Set(databases.map(({ name }) => name)).size).toBe(8)
    const [first, second] = databases
    if (first === undefined || second === undefined) throw new Error('eight were asked for')
    await rowsOf(first.url, 'DROP TABLE octavo.note')
    expect(await rowsOf(second.url, 'SELECT n FROM octavo.note WHERE n = 1')).toEqual([{ n: 1 }])
    await Promise.all(databases.map(({ drop }) => drop()))
  })

  it('can be dropped while a client is still connected', async () => {
    const database = await freshDatabase(template.facts)
    const interrupted = rowsOf(database.url, 'SELECT pg_sleep(600)').catch((error: unknown) => error)
    await rowsOf(database.url, 'SELECT 1')
    await database.drop()
    expect(await interrupted).toBeInstanceOf(Error)
    await expect(rowsOf(database.url, 'SELECT 1')).rejects.toThrow(/does not exist/)
  })

  it('leave nothing on a server that is not ours', async () => {
    const server = await testServer({ databaseUrl: cluster.url })
    const before = await databasesOf(cluster.url)
    const other = await templateDatabase(server, prepare)
    await freshDatabase(other.facts)
    expect(await databasesOf(cluster.url)).toHaveLength(before.length + 2)
    await other.drop()
    await server.stop()
    expect(await databasesOf(cluster.url)).toEqual(before)
  })

  it('leave nothing when preparing fails', async () => {
    const before = await databasesOf(cluster.url)
    await expect(templateDatabase(cluster, failing)).rejects.toThrow('cannot be prepared')
    expect(await databasesOf(cluster.url)).toEqual(before)
  })
})
