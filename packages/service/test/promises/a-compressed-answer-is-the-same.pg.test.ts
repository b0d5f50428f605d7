// Pages, lists and refusals, compressed and not, over `fetch`, which unpacks what it receives.
import { answerCodings } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { revisions } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import type { TestRequest } from '../support/start-test-service.ts'
import { withItems } from '../support/with-items.ts'

const service = forAllTests(serveOnFreshDatabase)
const { collection } = withItems(service, 2_000)

const ask = async (path: string, init: TestRequest, headers: Readonly<Record<string, string>>) => {
  const response = await service.fetch(path, { ...init, headers: { ...init.headers, ...headers } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Tokens differ from page to page, and errors have ids. */
const withoutTokens = (text: string): string =>
  text.replaceAll(/"(nextPageToken|errorInstanceId)":"[^"]*"/g, '"$1":""')

const longName = 'x'.repeat(2_000)

const answers = () => [
  ...revisions.flatMap((revision) =>
    [true, false].map((snapshot) => ({
      name: `a page of revision ${revision.name}`,
      ...revision.call(collection, { pageSize: 1_000, snapshot }),
    })),
  ),
  { name: 'the description of the endpoints', path: '/openapi.json', init: {} },
  {
    name: 'a refusal that is long',
    path: `/api/v1/ontologies?${longName}=1`,
    init: {},
  },
]

it.for(answerCodings)('P232: unpacked from %s, every answer is the same', async (coding) => {
  for (const { name, path, init } of answers()) {
    const plain = await ask(path, init, { 'accept-encoding': 'identity' })
    const packed = await ask(path, init, { 'accept-encoding': coding })
    expect(plain.headers.get('content-encoding'), name).toBeNull()
    expect(packed.headers.get('content-encoding'), name).toBe(coding)
    expect(packed.status, name).toBe(plain.status)
    expect(withoutTokens(packed.text), name).toBe(withoutTokens(plain.text))
    for (const { headers } of [plain, packed]) expect(headers.get('vary'), name).toBe('accept-encoding')
  }
})

it('P234: neither one thing with a tag nor a new access token is compressed', async () => {
  const type = await ask(
    `/api/promised/v1/objects/types/${collection.objectType}`,
    {},
    {
      'accept-encoding': 'gzip, identity;q=0',
    },
  )
  expect([type.status, type.headers.get('content-encoding')]).toEqual([200, null])
  expect(type.headers.get('etag')).not.toBeNull()
  const body = JSON.stringify({
    subject: 's',
    description: 'd'.repeat(1_000),
    scopes: ['api:ontologies-read'],
  })
  const token = await ask(
    '/manage/v1/accessTokens',
    { method: 'POST', body, headers: { 'content-type': 'application/json' } },
    { 'accept-encoding': 'gzip, identity;q=0' },
  )
  expect([token.status, token.text.includes('"accessToken"'), token.headers.get('content-encoding')]).toEqual(
    [201, true, null],
  )
})
