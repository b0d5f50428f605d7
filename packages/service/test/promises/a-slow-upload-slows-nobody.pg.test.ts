// A client sends a batch at its own pace. Meanwhile no transaction is open that would keep the database from vacuuming:
// every page and every commit reads a clock row, and each commit leaves a dead version of it behind.
import { setTimeout as sleep } from 'node:timers/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { refusalOf } from '../support/error-answer.ts'
import { itemDefinition, loadItems, putItems } from '../support/load-items.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase, type PromisedService } from '../support/serve-on-fresh-database.ts'
import { errorWith } from '../support/named-errors.ts'

const service = forAllTests(() => serve(20))
const objectType = 'item'

async function serve(maximumSeconds: number): Promise<PromisedService> {
  const served = await serveOnFreshDatabase({
    environment: { OCTAVO_BATCH_TIMEOUT_SECONDS: String(maximumSeconds) },
  })
  await served.store.applyObjectType(served.ontology, itemDefinition(objectType))
  return served
}

const number = async (of: PromisedService, text: string): Promise<number> =>
  Number((await of.store.database.rows({ text, values: [] }))[0]?.['n'])
const stagedRows = (of = service) => number(of, `select count(*) as n from ${of.ontology.schema}.staged`)
const stagedBatches = (of = service) =>
  number(of, `select count(*) as n from ${of.ontology.schema}.staged_batches`)

/** More than the service keeps in memory, so that it is staged; the upload ends when the test says so. */
function slowUpload(to = service) {
  const last = Promise.withResolvers<object>()
  async function* lines(): AsyncGenerator<Uint8Array> {
    const label = 'x'.repeat(900)
    for (let i = 0; i < 12_000; i += 1) {
      yield Buffer.from(`${JSON.stringify(put({ id: `i${i}`, rank: i, label }))}\n`)
    }
    yield Buffer.from(`${JSON.stringify(await last.promise)}\n`)
  }
  const answer = manageOverHttp(to).send(ReadableStream.from(lines()), { objectType })
  return { answer, end: last.resolve }
}

it('P132: a slow upload holds no transaction, and the clock of a busy type stays as small as without it', async () => {
  const { type } = await loadItems(service.store, service.ontology, 1, 'busy')
  const blocks = async (): Promise<number> => {
    const rows = await service.store.database.rows({
      text: `explain (analyze, buffers, format json) select version from ${type.tables.clock} where object_type = ${type.id}`,
      values: [],
    })
    const [{ Plan: plan }] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '') as [{ Plan: Record<string, number> }]
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  }
  const commit = async (count: number): Promise<void> => {
    for (let rank = 0; rank < count; rank += 1) await putItems(service.store, type, [{ id: 'hot', rank }])
  }
  // For comparison: a transaction that has written something and is left open.
  await service.store.database.transaction(async (transaction) => {
    await transaction.run(`create table ${service.ontology.schema}.open_transaction (n integer)`)
    await commit(600)
    expect(await blocks()).toBeGreaterThan(4)
  })
  await commit(100)
  const upload = slowUpload()
  await expect.poll(() => stagedRows(), { timeout: 20_000 }).toBeGreaterThan(5_000)
  await commit(600)
  const open = await number(
    service,
    `select count(*) as n from pg_stat_activity
where datname = current_database() and xact_start < now() - interval '500 ms'`,
  )
  expect(open).toBe(0)
  // A statement of the upload may be under way at this moment, which is short; one that is left open stays.
  const blocksLater = async () => {
    await commit(50)
    return blocks()
  }
  await expect.poll(blocksLater, { timeout: 20_000 }).toBeLessThanOrEqual(4)
  upload.end(put({ id: 'last' }))
  expect(await upload.answer).toMatchObject({ status: 200 })
  expect([await stagedRows(), await stagedBatches()]).toEqual([0, 0])
}, 120_000)

it('P132: an upload that is refused at its end leaves nothing behind', async () => {
  const upload = slowUpload()
  await expect.poll(() => stagedRows(), { timeout: 20_000 }).toBeGreaterThan(0)
  upload.end(put({ id: 'last', rank: 'high' }))
  expect(refusalOf(await upload.answer)).toMatchObject({ status: 400, errorName: 'InvalidBatch' })
  expect([await stagedRows(), await stagedBatches()]).toEqual([0, 0])
})

it('P198: a batch that takes too long is refused, and leaves nothing behind', async () => {
  const impatient = await serve(5)
  try {
    const upload = slowUpload(impatient)
    await sleep(6_000)
    upload.end(put({ id: 'late' }))
    expect(refusalOf(await upload.answer)).toEqual(
      errorWith(408, 'BatchTimedOut', { limit: 'batchSeconds', maximum: 5 }),
    )
    expect([await stagedRows(impatient), await stagedBatches(impatient)]).toEqual([0, 0])
  } finally {
    await impatient.close()
  }
})
