import { hasCitus, startCitus, startCluster, type CitusCluster } from '@octavo/dev-database'
import { migrateDatabase, openClusterManagement } from '@octavo/service'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openConnection } from '../connection/connection.ts'
import { makeExample } from '../local/make-example.ts'
import { makeLocalToken } from '../local/local-token.ts'
import { startLocalService } from '../local/start-local-service.ts'
import { runProgram } from '../program.ts'
import { testContext } from '../../test/support/test-context.ts'

const run = async (databaseUrl: string, ...words: readonly string[]) => {
  const { context, written, noted } = testContext({ environment: { OCTAVO_DATABASE_URL: databaseUrl } })
  return { code: await runProgram(words, context), out: written(), err: noted() }
}

/** The flag may not carry the password. */
const flagOf = (databaseUrl: string) => {
  const url = new URL(databaseUrl)
  vi.stubEnv('PGPASSWORD', url.password)
  url.password = ''
  return ['--database-url', url.href]
}

it('on one PostgreSQL there is no other node, and the command says so', async () => {
  const cluster = await startCluster()
  try {
    await migrateDatabase(cluster.url, () => {})
    expect(await run(cluster.url, 'ontology', 'move', 'example', 'elsewhere:5432')).toMatchObject({
      code: 1,
      err: expect.stringContaining('one PostgreSQL without Citus'),
    })
    expect(await run(cluster.url, 'status', ...flagOf(cluster.url))).toMatchObject({
      code: 0,
      out: 'One PostgreSQL without Citus: every ontology is there.\n',
    })
  } finally {
    await cluster.stop()
  }
})

describe.skipIf(!(await hasCitus()))('on a Citus cluster', () => {
  let citus: CitusCluster

  beforeAll(async () => {
    citus = await startCitus({ workers: 2 })
    await migrateDatabase(citus.url, () => {})
    const service = await startLocalService({ port: 0, databaseUrl: citus.url })
    const token = await makeLocalToken(citus.url)
    const stopAsked = new AbortController().signal
    await makeExample(openConnection({ url: service.url, token }, { fetch: globalThis.fetch, stopAsked }))
    await service.stop()
  })
  afterAll(() => citus.stop())

  it('status shows the nodes and where each ontology is, and move moves one', async () => {
    const [one, two] = citus.workers().map(({ host, port }) => `${host}:${port}`)
    const shown = await run(citus.url, 'status', ...flagOf(citus.url))
    expect(shown.code).toBe(0)
    expect(shown.out).toMatch(/^NODE +ROLE +ONTOLOGIES\n/)
    expect(shown.out).toContain('coordinator')
    const from = shown.out.includes(`example   ${one}`) ? one : two
    const to = from === one ? two : one
    expect(shown.out).toContain(`example   ${from}`)

    const moved = await run(citus.url, 'ontology', 'move', 'example', `${to}`)
    expect(moved.code).toBe(0)
    expect(moved.out).toContain(`example is on ${to} now`)
    expect((await run(citus.url, 'status', ...flagOf(citus.url))).out).toContain(`example   ${to}`)
    expect((await run(citus.url, 'ontology', 'move', 'example', `${to}`)).out).toBe(
      `example is on ${to} already.\n`,
    )
  })

  it('names the nodes there are, and what was probably meant', async () => {
    expect(await run(citus.url, 'ontology', 'move', 'example', 'elsewhere:5432')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/elsewhere:5432 is not a node that takes ontologies\. There are 127/),
    })
    expect(await run(citus.url, 'ontology', 'move', 'exampel', 'elsewhere:5432')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no ontology exampel'),
    })
  })

  it('moves an ontology although its nodes were restarted since the last move', async () => {
    const management = openClusterManagement(citus.url)
    const moveAway = async () => {
      const [ontology] = await management.ontologies()
      const to = citus.workers().find(({ host, port }) => ontology?.node !== `${host}:${port}`)
      if (ontology !== undefined) await management.move(ontology, `${to?.host}:${to?.port}`)
      return to?.port
    }
    try {
      const first = await moveAway()
      for (const worker of citus.workers()) {
        await worker.kill()
        await worker.start()
      }
      expect(await moveAway()).not.toBe(first)
    } finally {
      await management.close()
    }
  })
})
