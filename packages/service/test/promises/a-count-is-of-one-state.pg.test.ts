import type { Count, Snapshot } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { employeeDefinition } from '../support/employee.ts'
import { refusalOf } from '../support/error-answer.ts'
import { putItems } from '../support/load-items.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { contentOf } from '../support/walk-over-http.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)

const employees = (count: number, age: number) =>
  Array.from({ length: count }, (_, i) => ({
    employeeId: `e${String(i).padStart(6, '0')}`,
    fullName: 'Ada',
    badge: '1',
    age,
  }))

beforeAll(async () => {
  const type = await service.store.applyObjectType(service.ontology, employeeDefinition)
  await putItems(service.store, type, employees(10_050, 30))
})

const ask = (least: number | undefined, snapshotToken?: string): ReturnType<typeof answerOf> =>
  answerOf(
    service,
    '/api/promised/v1/objects/types/employee/count',
    jsonBody({
      query: least === undefined ? { type: 'empty' } : { type: 'gte', field: 'age', value: least },
      snapshotToken: snapshotToken ?? null,
    }),
  )

const counted = async (answer: ReturnType<typeof answerOf>): Promise<Count> => {
  return contentOf<Count>(answer)
}

it('P245: a total comes without a page, and says of which version', async () => {
  const all = await counted(ask(undefined))
  expect(all).toEqual({ totalCount: '10050', version: all.version })
  const path = '/api/promised/v1/objects/types/employee/count'
  for (const body of [{}, { query: null }]) {
    expect(await counted(answerOf(service, path, jsonBody(body)))).toEqual(all)
  }
  expect(await counted(ask(31))).toEqual({ totalCount: '0', version: all.version })
  expect(await counted(ask(30))).toEqual({
    totalCount: '10000',
    totalCountIsLowerBound: true,
    version: all.version,
  })
})

it('P245: with a snapshot token it is the total of that state', async () => {
  const taken = await answerOf(service, '/api/promised/v1/snapshots', jsonBody({}))
  const { snapshotToken, versions } = JSON.parse(taken.text) as Snapshot
  const type = await service.store.catalog.objectType(service.ontology, 'employee')
  if (type === undefined) throw new Error('no type')
  await putItems(service.store, type, [...employees(20, 50), { employeeId: 'new', badge: '1', age: 50 }])
  expect(await counted(ask(50))).toMatchObject({ totalCount: '21' })
  expect(await counted(ask(50, snapshotToken))).toEqual({ totalCount: '0', version: versions['employee'] })
  expect(await counted(ask(undefined))).toMatchObject({ totalCount: '10051' })
  expect(await counted(ask(undefined, snapshotToken))).toMatchObject({ totalCount: '10050' })
})

it('P27: what a count does not take is refused', async () => {
  const refusal = async (path: string, init: Parameters<typeof answerOf>[2]) =>
    refusalOf(await answerOf(service, path, init))
  const path = '/api/promised/v1/objects/types/employee/count'
  expect(await refusal(path, jsonBody({ query: { type: 'empty' }, pageSize: 1 }))).toMatchObject(
    errorNamed('UnknownParameter', {
      unknownParameters: ['pageSize'],
      expectedParameters: [
        'query',
        'snapshotToken',
        'afterSource',
        'afterPosition',
        'afterGeneration',
        'waitSeconds',
      ],
    }),
  )
  expect(await refusal(path, { method: 'POST' })).toMatchObject({ errorName: 'MissingPostBody' })
})
