import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster, type Cluster } from '@octavo/dev-database'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startCommand } from '../../test/support/command-process.ts'
import { serveCommand, type ServedCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

let served: ServedCommand
let cluster: Cluster

beforeAll(async () => {
  ;[served, cluster] = await Promise.all([serveCommand(), startCluster()])
  await served.declare(defineType('thing', { id: 'integer searchable' }))
  await put(1)
})
afterAll(async () => {
  await served.close()
  await cluster.stop()
})

const put = async (id: number): Promise<void> => {
  const file = join(served.folder, 'put.ndjson')
  await writeFile(file, JSON.stringify({ id }))
  expect((await served.run(['load', 'thing', file])).code).toBe(0)
}

/** A password is not among the words of a command. */
const withoutPassword = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  vi.stubEnv('PGPASSWORD', url.password)
  url.password = ''
  return url.href
}

const asked = async (databaseUrl: string, text: string): Promise<readonly object[]> => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

it('is not one that Octavo itself works in', async () => {
  const to = withoutPassword(served.databaseUrl)
  for (const words of [['sync', 'thing'], ['sync', 'thing', '--restart'], ['verify']]) {
    const refused = await served.run([...words, '--to', to])
    expect([refused.code, refused.out, refused.err]).toEqual([
      2,
      '',
      expect.stringContaining('is a database that Octavo itself works in. A copy needs its own'),
    ])
  }
  const made = `select relname from pg_class where relname in ('thing', 'octavo_loading_thing') or relname like 'octavo_sync%'`
  expect(await asked(served.databaseUrl, made)).toEqual([])
})

it('goes away and returns, and one that follows continues with what has changed meanwhile', async () => {
  const to = withoutPassword(cluster.url)
  const run = startCommand(served, ['sync', 'thing', '--to', to, '--follow'])
  const copied = async (): Promise<number> =>
    (await asked(cluster.url, 'select id from thing').catch(() => [])).length
  await expect.poll(copied, { timeout: 60_000 }).toBe(1)
  await put(2)
  await expect.poll(copied, { timeout: 30_000 }).toBe(2)

  // As after a crash: nobody says goodbye, and for a while nobody answers.
  await cluster.kill()
  await put(3)
  await expect.poll(run.err, { timeout: 30_000 }).toContain('Trying again')
  await sleep(3_000)
  await cluster.start()
  await expect.poll(copied, { timeout: 60_000 }).toBe(3)
  await expect.poll(run.err, { timeout: 30_000 }).toContain('In step again.\n')
  // It is said once, however often it is tried.
  expect(run.err().match(/Trying again/g)).toHaveLength(1)

  await cluster.restart('fast')
  await put(4)
  await expect.poll(copied, { timeout: 60_000 }).toBe(4)
  expect(await run.end('SIGTERM')).toBe(0)
  expect((await served.run(['verify', '--to', to])).out).toContain('checksum equal')
})
