import { freshDatabase, forAllTests } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { refusalOf } from '../support/error-answer.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { listing } from '../support/page-revisions.ts'
import { servePromised } from '../support/serve-on-fresh-database.ts'
import { askForPage } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'

const database = forAllTests(freshDatabase)
const proxy = forAllTests(() => startDatabaseProxy(database.url))
// The store that the test writes with also goes through the proxy; it writes before any connection is cut.
const service = forAllTests(() => servePromised({ databaseUrl: proxy.url }))
const { collection } = withItems(service, 1_000, 'item')

const page = () => askForPage(service, listing, collection, { pageSize: 1_000 })

it('P170: a page whose connection to the database is cut, wherever it is cut, is an error and never a shorter page', async () => {
  const before = proxy.received()
  const whole = await page()
  const bytes = proxy.received() - before
  expect(whole.status).toBe(200)
  expect(bytes).toBeGreaterThan(100_000)

  const statuses: number[] = []
  for (let part = 0; part <= 24; part += 1) {
    proxy.cutAfter(Math.floor((bytes * part) / 24), 'server')
    const answer = await page()
    statuses.push(answer.status)
    if (answer.status === 200) expect(answer.text === whole.text).toBe(true)
    else {
      expect(refusalOf(answer)).toMatchObject({ errorName: 'Overloaded', status: 503 })
      expect(answer.headers.get('retry-after')).toBe('2')
    }
  }
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(20)
  // The last cut may still wait for more bytes than arrived, so it is cancelled.
  proxy.cutAfter(Infinity, 'server')
  expect((await page()).text === whole.text).toBe(true)
})

const commitsWith = async (key: string): Promise<number> => {
  const client = new Client(database.url)
  await client.connect()
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::integer as n from ${service.ontology.schema}.commits where idempotency_key = $1`,
    [key],
  )
  await client.end()
  return rows[0]?.n ?? 0
}

it('P171: a batch whose connection is cut while it commits is answered with OutcomeUnknown, and its key makes the second try safe', async () => {
  const manage = manageOverHttp(service)
  const outcomes = { unknown: 0, applied: 0, notApplied: 0 }
  const tries = [
    ...[0, 1, 5, 20, 60, 100, 200].map((bytes) => ({ from: 'server', bytes }) as const),
    ...[1, 20, 100, 200, 400].map((bytes) => ({ from: 'client', bytes }) as const),
  ]
  for (const [i, { bytes, from }] of tries.entries()) {
    const key = `cut-${i}`
    const line = `${JSON.stringify(put({ id: `cut ${i}`, rank: i }))}\n`
    // The service now and then reloads its cached callers and types: reloading now keeps it from doing so in between.
    await page()
    const cutsBefore = proxy.cuts()
    proxy.cutAfter(bytes, from)
    const first = await manage.send(line, { objectType: 'item', key })
    const wasCut = proxy.cuts() > cutsBefore
    if (first.status !== 200) {
      const { errorName, status } = refusalOf(first)
      expect(status).toBe(503)
      expect(['OutcomeUnknown', 'Overloaded']).toContain(errorName)
      expect(wasCut).toBe(true)
      const applied = (await commitsWith(key)) === 1
      if (errorName === 'OutcomeUnknown') {
        outcomes.unknown += 1
        if (applied) outcomes.applied += 1
        else outcomes.notApplied += 1
      } else expect(applied).toBe(false)
      const second = await manage.commit([put({ id: `cut ${i}`, rank: i })], { objectType: 'item', key })
      expect(second.replayed).toBe(applied)
    }
    expect(await commitsWith(key)).toBe(1)
  }
  // Both outcomes happen, and the client could not have known which.
  expect(outcomes.applied).toBeGreaterThan(0)
  expect(outcomes.notApplied).toBeGreaterThan(0)
})
