import { request } from 'node:http'
import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { jsonBody, revisions } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { testToken } from '../support/test-access.ts'
import { readPage, type Answer } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'

const service = forAllTests(() => serveOnFreshDatabase({ environment: { OCTAVO_CORS_ORIGINS: origin } }))
const { collection } = withItems(service, 9)
const origin = 'https://pages.example.com'

const unauthorized = { status: 401, errorName: 'Default:Unauthorized', parameters: {} }

/** Sent unchanged: fetch would add to some of these, and refuse others. */
const asSent = (
  path: string,
  method: string,
  headers: Record<string, string | string[]>,
  body?: string,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(service.url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const received = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ])
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          headers: new Headers(received),
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })

const wrong: readonly Record<string, string>[] = [
  {},
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer ' },
  { authorization: `Bearer ${testToken}x` },
  { authorization: `Bearer ${testToken.slice(0, -1)}` },
  { authorization: `Bearer ${testToken} ${testToken}` },
  { authorization: testToken },
  { authorization: `Basic ${Buffer.from(`x:${testToken}`).toString('base64')}` },
  { authorization: `Token ${testToken}` },
  { 'x-authorization': `Bearer ${testToken}` },
]

describe.for(revisions)('in revision $name', (revision) => {
  it('P115: without the right credentials no page is given, neither the first nor a later one', async () => {
    const { nextPageToken } = await readPage(service, revision, collection, { pageSize: 3 })
    for (const pageToken of [undefined, nextPageToken]) {
      const { path, init } = revision.call(collection, { pageSize: 3, pageToken })
      const { method, headers: sent, body } = init
      for (const headers of wrong) {
        const answer = await asSent(path, method, { ...sent, ...headers }, body)
        expect(refusalOf(answer), JSON.stringify(headers)).toEqual(unauthorized)
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
        expect(answer.text).not.toContain(testToken)
      }
      const right = { ...sent, authorization: `bearer ${testToken}` }
      expect((await asSent(path, method, right, body)).status).toBe(200)
    }
  })
})

it('P115, P116: nothing is learned without credentials, whatever else is wrong with a request', async () => {
  const rid = collection.ontologyRid
  const paths = [
    '/api/v1/ontologies',
    `/api/v1/ontologies/${rid}`,
    '/api/v1/ontologies/ri.nothing',
    `/api/v1/ontologies/${rid}/objectTypes`,
    `/api/v1/ontologies/${rid}/objectTypes/nothing`,
    `/api/v1/ontologies/${rid}/objects/nothing`,
    `/api/v1/ontologies/${rid}/objects/items9?pageSize=0&colour=red&pageToken=x&snapshot=maybe`,
    `/api/v1/ontologies/${rid}/objects/items9/nobody`,
    `/api/v1/ontologies/${rid}/objects/items9/i000001`,
    '/api/promised/v1/objects/types',
    '/api/nobody/v1/objects/types',
    '/api/nobody/v1/objects/types/x',
  ]
  const headers = { authorization: 'Bearer of-somebody-else' }
  for (const path of paths)
    expect(refusalOf(await answerOf(service, path, { headers }))).toEqual(unauthorized)
  for (const path of [
    '/api/promised/v1/objects/types/items9/search',
    '/api/nobody/v1/objects/types/x/search?y=1',
  ]) {
    for (const body of ['{"query":{"type":"empty"}}', '{', '[]', '{"colour":1}', ' '.repeat(2_000_000)]) {
      const json = { ...headers, 'content-type': 'application/json' }
      expect(refusalOf(await answerOf(service, path, { method: 'POST', headers: json, body }))).toEqual(
        unauthorized,
      )
    }
    const text = { ...headers, 'content-type': 'text/plain' }
    expect(refusalOf(await answerOf(service, path, { method: 'POST', headers: text, body: 'x' }))).toEqual(
      unauthorized,
    )
    expect(refusalOf(await answerOf(service, path, { method: 'POST', headers }))).toEqual(unauthorized)
  }
})

describe('a browser', () => {
  it('P122: may send the headers of clients and read when to come again', async () => {
    const path = '/api/promised/v1/objects/types/items9/search'
    const wanted = [
      'Authorization',
      'Content-Type',
      'Content-Encoding',
      'Idempotency-Key',
      'If-None-Match',
      'X-Request-Id',
      'Want-Content-Digest',
      'Fetch-User-Agent',
      'X-OSDK-Request-Context',
    ]
    const preflight = await asSent(path, 'OPTIONS', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': wanted.join(', '),
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/)
    expect(allowed).toEqual(expect.arrayContaining(wanted.map((name) => name.toLowerCase())))
    const answer = await answerOf(service, path, {
      ...jsonBody({ query: { type: 'empty' } }),
      headers: { 'content-type': 'application/json', origin },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('retry-after')
    // A refusal must be readable too; otherwise a web page could not tell the reason.
    const refused = await asSent(path, 'POST', { origin, 'content-type': 'application/json' }, '{}')
    expect(refusalOf(refused)).toEqual(unauthorized)
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it('P122: of another origin is allowed nothing', async () => {
    const answer = await asSent('/api/v1/ontologies', 'OPTIONS', {
      origin: 'https://other.example.com',
      'access-control-request-method': 'GET',
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})
