import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '@octavo/dev-database'
import { Client } from 'pg'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { migrate } from '../../src/postgres/migrate.ts'
import { errorNamesOf, keepAsking, type TimedAnswer } from '../support/ask-through-a-fault.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { refusalOf } from '../support/error-answer.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { searching } from '../support/page-revisions.ts'
import { askServer } from '../support/serve-with-standby.ts'
import { servePromised } from '../support/serve-on-fresh-database.ts'
import { askForPage, type WirePage } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'

const mostConnections = 20

const cluster = forAllTests(() => startCluster({ settings: { max_connections: String(mostConnections) } }))
beforeAll(() => migrate(cluster.url))
const proxy = forAllTests(() => startDatabaseProxy(cluster.url))
const service = forAllTests(() =>
  servePromised({
    databaseUrl: proxy.url,
    environment: { OCTAVO_STATEMENT_TIMEOUT_SECONDS: '1', OCTAVO_DATABASE_POOL_SIZE: '4' },
  }),
)
const { collection } = withItems(service, 100, 'item')

const page = () => askForPage(service, searching, collection, { pageSize: 50 })
const isWhole = ({ text }: { readonly text: string }) => {
  const { data, nextPageToken } = JSON.parse(text) as WirePage
  return data.length === 50 && data[49]?.properties['id'] === 'i000049' && nextPageToken !== undefined
}
const rightAfter = (answers: readonly TimedAnswer[], moment: number) =>
  answers.find(({ at, errorName }) => at > moment && errorName === undefined)

it.each([
  ['is restarted', () => cluster.restart('fast')],
  ['is shut down at once and recovers', () => cluster.restart('immediate')],
  [
    'crashes and is started again a second later',
    async () => {
      await cluster.kill()
      await sleep(1_000)
      await cluster.start()
    },
  ],
])(
  'P170: while the database %s, pages are right or Overloaded, and they are back within ten seconds',
  async (_what, fault) => {
    const manage = manageOverHttp(service)
    const pages = keepAsking(4, page, isWhole)
    let number = 0
    const acknowledged: string[] = []
    const batches = keepAsking(
      2,
      async () => {
        const id = `z${Date.now()}-${(number += 1)}`
        const answer = await manage.send(`${JSON.stringify(put({ id, rank: 1 }))}\n`, {
          objectType: 'item',
          key: id,
        })
        if (answer.status === 200) acknowledged.push(id)
        return answer
      },
      () => true,
    )
    await sleep(300)
    await fault()
    const back = performance.now()
    await expect
      .poll(() => [rightAfter(pages.answers, back), rightAfter(batches.answers, back)].every(Boolean), {
        timeout: 10_000,
      })
      .toBe(true)
    await pages.stop()
    await batches.stop()
    expect(errorNamesOf(pages.answers)).toEqual(['Overloaded'])
    expect(['OutcomeUnknown', 'Overloaded']).toEqual(
      expect.arrayContaining([...errorNamesOf(batches.answers)]),
    )
    expect(acknowledged.length).toBeGreaterThan(0)
    const [kept] = await askServer(
      cluster,
      `select count(*)::integer as n from ${service.ontology.schema}.commits where idempotency_key = any('{${acknowledged.join()}}')`,
    )
    expect(kept).toEqual({ n: String(acknowledged.length) })
  },
)

/** Opens connections until the server has none left. */
async function takeAll(taken: Client[]): Promise<void> {
  for (;;) {
    const client = new Client(cluster.url)
    client.on('error', () => {})
    try {
      await client.connect()
      taken.push(client)
    } catch (error) {
      expect(error).toMatchObject({ code: '53300' })
      return
    }
  }
}

/** Terminates the connections of the service, and returns how many there were. */
const endOurs = async ([client]: readonly Client[]) =>
  (
    await client?.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'octavo'",
    )
  )?.rowCount

it('P170: without a connection to be had, pages are Overloaded until there is one', async () => {
  const taken: Client[] = []
  try {
    do await takeAll(taken)
    while ((await endOurs(taken)) !== 0)
    expect(refusalOf(await page())).toMatchObject({ errorName: 'Overloaded', status: 503 })
    const ready = await service.fetch('/health/ready')
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('53300')])
  } finally {
    for (const client of taken) await client.end()
  }
  await expect.poll(async () => (await page()).status, { timeout: 10_000 }).toBe(200)
})

const timed = async <Value>(work: Promise<Value>): Promise<readonly [Value, number]> => {
  const from = performance.now()
  const value = await work
  return [value, performance.now() - from]
}

const readiness = async () => (await service.fetch('/health/ready')).status

it('P170: on a network that has fallen silent nobody waits for ever, and it is used again when it speaks', async () => {
  expect((await page()).status).toBe(200)
  proxy.fallSilent(true)
  const asked = [timed(page()), timed(page())]
  const [ready, readyAfter] = await timed(readiness())
  expect(ready).toBe(503)
  expect(readyAfter).toBeLessThan(4_000)
  for (const [answer, milliseconds] of await Promise.all(asked)) {
    expect(refusalOf(answer)).toMatchObject({ errorName: 'Overloaded', status: 503 })
    // A statement's time-out of a second, and five seconds more; twice that if its connection was new.
    expect(milliseconds).toBeLessThan(20_000)
  }
  proxy.fallSilent(false)
  await expect.poll(async () => (await page()).status, { timeout: 10_000 }).toBe(200)
  await expect.poll(readiness, { timeout: 10_000 }).toBe(200)
})

it('P170: a server that hangs is given up, and connections that hang are not used again', async () => {
  for (const { status } of await Promise.all(Array.from({ length: 4 }, page))) expect(status).toBe(200)
  const hanging = await askServer(
    cluster,
    "select pid from pg_stat_activity where application_name = 'octavo' and pid <> pg_backend_pid()",
  )
  const pids = hanging.map(({ pid }) => Number(pid))
  expect(pids.length).toBeGreaterThan(1)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    const [answer, milliseconds] = await timed(page())
    expect(milliseconds).toBeLessThan(20_000)
    expect(refusalOf(answer)).toMatchObject({ errorName: 'Overloaded' })
    // The other connections still hang too, but no request waits for them: new connections answer.
    for (let pages = 0; pages < 20; pages += 1) expect((await page()).status).toBe(200)
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
})
