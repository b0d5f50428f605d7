import { forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, expect, it } from 'vitest'
import { refusalOf } from '../support/error-answer.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { searching } from '../support/page-revisions.ts'
import { askServer, serveWithStandby } from '../support/serve-with-standby.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { askForPage } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'

const first = forAllTests(serveWithStandby)
const { collection } = withItems(first, 100, 'item')
const others: TestService[] = []

afterAll(async () => {
  for (const other of others) await other.close()
})

const serveOn = async (databaseUrl: string): Promise<TestService> => {
  const other = await startTestService({ databaseUrl, withoutAccess: true })
  others.push(other)
  return other
}

const pageOf = (service: TestService) => askForPage(service, searching, collection, { pageSize: 10 })
const batchTo = (service: TestService, id: string) =>
  manageOverHttp({ ...service, ontology: first.ontology }).send(`${JSON.stringify(put({ id, rank: 1 }))}\n`, {
    objectType: 'item',
    key: id,
  })

it('P173: a service whose database is read-only refuses changes as Overloaded, still serves reads, and later accepts changes again', async () => {
  await askServer(first.primary, 'alter system set default_transaction_read_only = on')
  await askServer(first.primary, 'select pg_reload_conf()')
  await expect.poll(async () => (await batchTo(first, 'refused')).status, { timeout: 10_000 }).toBe(503)
  expect(refusalOf(await batchTo(first, 'refused'))).toMatchObject({ errorName: 'Overloaded' })
  expect((await pageOf(first)).status).toBe(200)
  await askServer(first.primary, 'alter system reset default_transaction_read_only')
  await askServer(first.primary, 'select pg_reload_conf()')
  await expect.poll(async () => (await batchTo(first, 'refused')).status, { timeout: 10_000 }).toBe(200)
})

it('P173: a service that is connected to a standby serves no page from it, and its readiness check says so', async () => {
  const service = await serveOn(first.standby.url)
  expect(refusalOf(await pageOf(service))).toMatchObject({ errorName: 'Overloaded', status: 503 })
  expect(refusalOf(await batchTo(service, 'standby'))).toMatchObject({ errorName: 'Overloaded' })
  const ready = await service.fetch('/health/ready')
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('25006')])
})

it('P173: of several hosts the primary is found, and after a failover the new one, without a restart', async () => {
  const url = new URL(first.standby.url)
  const service = await serveOn(
    first.standby.url.replace(url.host, `${url.host},${first.primary.host}:${first.primary.port}`),
  )
  expect((await pageOf(service)).status).toBe(200)
  expect((await batchTo(service, 'before')).status).toBe(200)
  const [at] = await askServer(first.primary, 'select pg_current_wal_lsn()::text as lsn')
  await expect
    .poll(() => askServer(first.standby, `select pg_last_wal_replay_lsn() >= '${at?.['lsn']}' as ok`))
    .toEqual([{ ok: 't' }])
  await first.primary.kill()
  expect(refusalOf(await batchTo(service, 'between'))).toMatchObject({ status: 503 })
  await askServer(first.standby, 'select pg_promote()')
  await expect.poll(async () => (await batchTo(service, 'after')).status, { timeout: 10_000 }).toBe(200)
  expect((await pageOf(service)).status).toBe(200)
  const [kept] = await askServer(
    first.standby,
    `select count(*)::integer as n from ${first.ontology.schema}.commits where idempotency_key in ('before', 'after')`,
  )
  expect(kept).toEqual({ n: '2' })
})
