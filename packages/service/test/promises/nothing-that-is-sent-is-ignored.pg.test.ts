import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { itemDefinition } from '../support/load-items.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { sendBody } from '../support/send-raw.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
let manage: string

beforeAll(async () => {
  manage = `/manage/v1/ontologies/${service.ontology.rid}`
  await service.store.applyObjectType(service.ontology, itemDefinition('item'))
})

it.each([
  ['GET', () => `/api/v1/ontologies/${service.ontology.rid}/objects/item`],
  ['GET', () => `${manage}/objectTypes/item`],
  ['DELETE', () => `${manage}/loads/${'0'.repeat(32)}`],
] as const)('P407: a %s with a body is refused, and an empty body is none', async (method, path) => {
  expect(refusalOf(await sendBody(service, method, path(), '{}'))).toMatchObject(
    errorWith(400, 'UnknownParameter', { unknownParameters: ['body'], unexpectedBody: true }),
  )
  const { status, text } = await sendBody(service, method, path(), '')
  expect([status, text]).toEqual([
    method === 'DELETE' ? 404 : 200,
    expect.not.stringContaining('UnknownParameter'),
  ])
})

it.each(['If-Match', 'If-None-Match', 'If-Unmodified-Since'])(
  'P408: %s is refused on a write that does not honour it, and may be sent with a read',
  async (name) => {
    const headers = { [name]: '*' }
    const load = jsonBody({ objectTypes: ['item'] })
    const refused = [
      await answerOf(service, `${manage}/loads`, { ...load, headers: { ...load.headers, ...headers } }),
      await answerOf(service, `${manage}/loads/${'0'.repeat(32)}`, { method: 'DELETE', headers }),
      await answerOf(service, `${manage}/objectTypes/item/batches`, {
        method: 'POST',
        body: '{"type":"delete","primaryKey":"a"}',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
      }),
    ]
    for (const answer of refused) {
      expect(refusalOf(answer)).toMatchObject(
        errorWith(400, 'InvalidParameterValue', { parameterId: name, parameterValue: '*' }),
      )
    }
    const search = jsonBody({ query: { type: 'empty' } })
    const read = await answerOf(service, '/api/promised/v1/objects/types/item/search', {
      ...search,
      headers: { ...search.headers, ...headers },
    })
    expect(read.status).toBe(200)
  },
)

it('P408: a definition honours two of them, and not the third', async () => {
  const definition = jsonBody(itemDefinition('item'))
  const put = (headers: Readonly<Record<string, string>>) =>
    answerOf(service, `${manage}/objectTypes/item`, {
      ...definition,
      method: 'PUT',
      headers: { ...definition.headers, ...headers },
    })
  expect(refusalOf(await put({ 'If-None-Match': '*' }))).toMatchObject({ errorName: 'PreconditionFailed' })
  expect((await put({ 'If-Match': '*' })).status).toBe(200)
  expect(refusalOf(await put({ 'If-Unmodified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' }))).toMatchObject(
    errorNamed('InvalidParameterValue', { parameterId: 'If-Unmodified-Since' }),
  )
})
