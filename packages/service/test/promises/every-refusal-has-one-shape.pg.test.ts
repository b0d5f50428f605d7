// Whichever part of the service refuses, the answer has the same fields in the same shape.
import { connect } from 'node:net'
import { errorTable } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { jsonBody, revisions, type Collection } from '../support/page-revisions.ts'
import { parseAnswer, sendRaw } from '../support/send-raw.ts'
import { newTokenOf } from '../support/test-access.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import type { TestRequest } from '../support/start-test-service.ts'
import { testToken } from '../support/test-access.ts'
import { askForPage } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const { collection } = withItems(service, 7)
let list = ''
const search = '/api/promised/v1/objects/types/items7/search'
const empty = { query: { type: 'empty' } }

beforeAll(async () => {
  list = `/api/v1/ontologies/${collection.ontologyRid}/objects/items7`
})

const refused = async (path: string, init?: TestRequest) => refusalOf(await answerOf(service, path, init))
const searched = (body: unknown, query = '') => refused(search + query, jsonBody(body))

const ofPositions = ['afterSource', 'afterPosition', 'afterGeneration', 'waitSeconds']

describe('parameters', () => {
  it('P27: an unknown query parameter is refused by name, with those that are expected', async () => {
    expect(await refused(`${list}?pagesize=5&colour=red`)).toEqual(
      errorWith(400, 'UnknownParameter', {
        unknownParameters: ['pagesize', 'colour'],
        expectedParameters: [
          'pageSize',
          'pageToken',
          'snapshot',
          'snapshotToken',
          'properties',
          'orderBy',
          ...ofPositions,
        ],
        didYouMean: ['pageSize'],
      }),
    )
    expect(await searched(empty, '?pageSize=5')).toMatchObject(
      errorNamed('UnknownParameter', { unknownParameters: ['pageSize'] }),
    )
    for (const path of [
      '/api/v1/ontologies',
      `/api/v1/ontologies/${collection.ontologyRid}`,
      `${list}/i000001`,
    ]) {
      expect(await refused(`${path}?colour=red`)).toMatchObject({ errorName: 'UnknownParameter' })
    }
  })

  it.for(['/health/live', '/health/ready', '/openapi.json', '/docs', '/'])(
    'P27: %s, which needs no token, takes any query parameter',
    async (path) => {
      const [plain, asked] = [await answerOf(service, path), await answerOf(service, `${path}?colour=red`)]
      expect([plain.status, asked.status, asked.text]).toEqual([200, 200, plain.text])
    },
  )

  it.for(['colour', 'properties', 'pagesize', '__proto__', 'constructor', 'toString', 'preview'])(
    'P27: the unknown body field %s is refused by name',
    async (field) => {
      expect(await searched(`{"query":{"type":"empty"},"${field}":1}`)).toEqual(
        errorWith(400, 'UnknownParameter', {
          unknownParameters: [field],
          expectedParameters: [
            'query',
            'pageToken',
            'pageSize',
            'orderBy',
            'select',
            'snapshot',
            'snapshotToken',
            ...ofPositions,
          ],
          ...(field === 'pagesize' && { didYouMean: ['pageSize'] }),
        }),
      )
    },
  )

  it('P77: a field of the body in the query string of a POST is to be moved', async () => {
    const path = `${search}?pageToken=abc&pageSize=1&colour=red`
    expect(await refused(path, jsonBody(empty))).toEqual(
      errorWith(400, 'UnknownParameter', {
        unknownParameters: ['pageToken', 'pageSize', 'colour'],
        expectedParameters: [],
        inBody: ['pageToken', 'pageSize'],
      }),
    )
  })

  it('P120: the API name of an ontology without a grant is answered as one that nobody has', async () => {
    const { token } = await newTokenOf(service.store, { subject: 'stranger' })
    const refusalFor = async (name: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await service.fetch(`/api/v1/ontologies/${name}/objects/items7`, { headers })
      const { errorInstanceId: _, ...body } = (await answer.json()) as Readonly<Record<string, unknown>>
      return JSON.stringify(body)
    }
    expect(await refusalFor('promised')).toContain('OntologyNotFound')
    expect(await refusalFor('nothing')).toBe((await refusalFor('promised')).replaceAll('promised', 'nothing'))
  })

  it('P28: preview is accepted with any value everywhere and means nothing', async () => {
    const rid = collection.ontologyRid
    const paths = [
      '/api/v1/ontologies',
      `/api/v1/ontologies/${rid}`,
      `/api/v1/ontologies/${rid}/objectTypes`,
      `/api/v1/ontologies/${rid}/objectTypes/items7`,
      list,
      `${list}/i000001`,
      '/api/promised/v1/objects/types',
      '/api/promised/v1/objects/types/items7',
    ]
    for (const value of ['preview=true', 'preview', 'preview=&preview=%F0%9F%98%80']) {
      for (const path of paths) {
        const [plain, preview] = [await answerOf(service, path), await answerOf(service, `${path}?${value}`)]
        expect([preview.status, preview.text]).toEqual([200, plain.text])
      }
      expect((await answerOf(service, `${search}?${value}`, jsonBody(empty))).status).toBe(200)
    }
  })

  it.for([
    'pageSize=1&pageSize=1',
    'snapshot=true&snapshot=true',
    'orderBy=p.id&orderBy=p.id',
    'pageToken=a&pageToken=a',
  ])('P29: %s, which takes one value, is refused', async (query) => {
    expect(await refused(`${list}?${query}`)).toMatchObject(
      errorWith(400, 'InvalidParameterValue', { parameterId: query.split('=')[0] }),
    )
  })

  it.for(['', 'TRUE', 'True', '1', '0', 'yes', 'null', ' true', 'true,false'])(
    'P30: snapshot=%j is refused in a query string',
    async (value) => {
      expect(await refused(`${list}?snapshot=${encodeURIComponent(value)}`)).toEqual(
        errorWith(400, 'InvalidParameterValue', {
          parameterId: 'snapshot',
          parameterValue: value,
          expected: 'the value true or false, in lower case',
        }),
      )
    },
  )

  it.for([1, 0, 'true', {}, []])('P30, P107: snapshot %j is refused in a body', async (snapshot) => {
    expect(await searched({ ...empty, snapshot })).toMatchObject(
      errorWith(422, 'Conjure:UnprocessableEntity', { path: '/snapshot' }),
    )
  })

  it('P30: false and no parameter are the same mode', async () => {
    for (const revision of revisions) {
      const [none, no] = [
        await askForPage(service, revision, collection),
        await askForPage(service, revision, collection, { snapshot: false }),
      ]
      expect(no.text).toBe(none.text)
    }
  })
})

describe('bodies', () => {
  it.for([
    '{',
    'nothing',
    '{"query":{"type":"empty"}',
    "{'query':1}",
    '{"query":{"type":"empty"}}x',
    '\uFEFF{',
    'NaN',
  ])('P107: %j is not JSON', async (body) => {
    expect(await searched(body)).toMatchObject(errorWith(422, 'Conjure:UnprocessableEntity', { path: '' }))
  })

  it.for([
    ['[]', ''],
    ['null', ''],
    ['"x"', ''],
    ['{}', ''],
    ['{"query":null}', '/query'],
    ['{"query":{"type":"empty"},"select":"rank"}', '/select'],
    ['{"query":{"type":"empty"},"select":[1]}', '/select/0'],
    ['{"query":{"type":"empty"},"orderBy":[]}', '/orderBy'],
    [
      '{"query":{"type":"empty"},"orderBy":{"fields":[{"field":"rank","direction":"up"}]}}',
      '/orderBy/fields/0/direction',
    ],
  ] as const)('P107: %s does not have the shape, and the place is a JSON pointer', async ([body, path]) => {
    const refusal = await searched(body)
    expect(refusal).toMatchObject({ status: 422, errorName: 'Conjure:UnprocessableEntity' })
    expect(refusal.parameters['path']).toBe(path)
  })

  it('P107: where a more exact name exists, it is used', async () => {
    expect(await searched({ ...empty, pageSize: '5' })).toMatchObject({ errorName: 'InvalidPageSize' })
    expect(await searched({ ...empty, pageToken: 5 })).toMatchObject({ errorName: 'InvalidPageToken' })
    expect(await searched({ ...empty, pageToken: {} })).toMatchObject({ errorName: 'InvalidPageToken' })
    expect(await searched({ ...empty, pageSize: [] })).toMatchObject({ errorName: 'InvalidPageSize' })
  })

  it('P108: a missing body, another content type, an unknown path and another method', async () => {
    const json = { 'content-type': 'application/json' }
    expect(await refused(search, { method: 'POST' })).toMatchObject({
      errorName: 'MissingPostBody',
      status: 400,
    })
    expect(await refused(search, { method: 'POST', headers: json })).toMatchObject({
      errorName: 'MissingPostBody',
    })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
      expect(
        await refused(search, { method: 'POST', headers: { 'content-type': type }, body: '{}' }),
      ).toEqual(errorWith(415, 'Conjure:UnsupportedMediaType', { expectedMediaType: 'application/json' }))
    }
    for (const path of [
      '/api',
      '/api/v1',
      '/api/v3/ontologies',
      `${list}/a/b`,
      '/api/v1/ontologies//x',
      '//',
    ]) {
      expect(await refused(path)).toMatchObject({ status: 404, errorName: 'PathNotFound' })
    }
    for (const [path, method, allowed] of [
      [list, 'POST', 'GET'],
      [list, 'DELETE', 'GET'],
      [search, 'GET', 'POST'],
      [search, 'PUT', 'POST'],
    ] as const) {
      const answer = await answerOf(service, path, { method })
      expect(refusalOf(answer)).toMatchObject(errorWith(405, 'MethodNotAllowed', { method }))
      expect(answer.headers.get('allow')?.split(', ')).toContain(allowed)
    }
  })

  it('P58, P407: a body of a listing is refused without being read', async () => {
    const authorization = `Authorization: Bearer ${testToken}\r\nConnection: close\r\nHost: x`
    const body = `Content-Type: application/json\r\nContent-Length: 9\r\n\r\nnot JSON!`
    const answer = parseAnswer(
      await sendRaw(service.url, `GET ${list} HTTP/1.1\r\n${authorization}\r\n${body}`),
    )
    expect(refusalOf(answer)).toMatchObject(errorWith(400, 'UnknownParameter', { unexpectedBody: true }))
  })
})

describe('what is asked for', () => {
  it('P109: an unknown object type and unknown properties, in both revisions', async () => {
    for (const revision of revisions) {
      const asked = async (to: Collection, ask = {}) =>
        refusalOf(await askForPage(service, revision, to, ask))
      for (const objectType of [
        'nothing',
        'Items7',
        'items7%20',
        '__proto__',
        'constructor',
        '%F0%9F%98%80',
      ]) {
        expect(await asked({ ...collection, objectType })).toMatchObject(
          errorWith(404, 'ObjectTypeNotFound', { objectType: decodeURIComponent(objectType) }),
        )
      }
      const unknown = { status: 404, errorName: 'PropertiesNotFound' }
      expect(await asked(collection, { select: ['rank', 'size', '__proto__'] })).toMatchObject({
        ...unknown,
        parameters: { objectType: 'items7', properties: ['size', '__proto__'] },
      })
      const orderBy = [{ property: 'size', direction: 'asc' }]
      expect(await asked(collection, { orderBy })).toMatchObject({
        ...unknown,
        parameters: { objectType: 'items7', properties: ['size'] },
      })
    }
  })

  it('P75, P141: an unknown ontology or API family; the path alone selects the revision', async () => {
    const rid = 'ri.ontology.main.ontology.00000000-0000-4000-8000-000000000000'
    expect(await refused(`/api/v1/ontologies/${rid}/objects/items7`)).toEqual(
      errorWith(404, 'OntologyNotFound', { ontologyRid: rid }),
    )
    for (const family of ['nobody', 'Promised', '__proto__', 'promised%20']) {
      expect(await refused(`/api/${family}/v1/objects/types/items7/search`, jsonBody(empty))).toEqual(
        errorWith(404, 'ApiFamilyNotFound', { apiFamily: decodeURIComponent(family) }),
      )
    }
    const headers = { accept: 'application/json; version=2.0', 'api-version': '2.0' }
    const listed = await answerOf(service, list, { headers })
    expect(JSON.parse(listed.text)).toHaveProperty('data.0.rid')
    const found = await answerOf(service, search, {
      ...jsonBody(empty),
      headers: { 'content-type': 'application/json', 'api-version': '1.0' },
    })
    expect(JSON.parse(found.text)).toHaveProperty('data.0.primaryKey')
  })
})

describe('limits', () => {
  it('P111: a URL of more than 16 KiB, headers of more than 32 KiB, a body of more than 1 MiB', async () => {
    const host = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${testToken}`
    const raw = async (text: string) => refusalOf(parseAnswer(await sendRaw(service.url, text)))
    const long = `${list}?orderBy=${'a'.repeat(16_384)}`
    expect(await raw(`GET ${long} HTTP/1.1\r\n${host}\r\n\r\n`)).toEqual(
      errorWith(413, 'RequestTooLarge', { limit: 'urlBytes', maximum: 16_384 }),
    )
    for (const bytes of [33_000, 60_000, 200_000]) {
      expect(await raw(`GET ${list} HTTP/1.1\r\n${host}\r\nX-Long: ${'a'.repeat(bytes)}\r\n\r\n`)).toEqual(
        errorWith(413, 'RequestTooLarge', { limit: 'headerBytes', maximum: 32_768 }),
      )
    }
    const body = (bytes: number) => jsonBody(JSON.stringify(empty).padEnd(bytes, ' '))
    expect(await refused(search, body(1_048_577))).toEqual(
      errorWith(413, 'RequestTooLarge', { limit: 'bodyBytes', maximum: 1_048_576 }),
    )
    // A body of exactly the allowed size is read.
    expect((await answerOf(service, search, body(1_048_576))).status).toBe(200)
    const fits = `${list}?preview=`
    const exactly = parseAnswer(
      await sendRaw(
        service.url,
        `GET ${fits.padEnd(16_384, 'a')} HTTP/1.1\r\n${host}\r\nX-Long: ${'a'.repeat(30_000)}\r\n\r\n`,
      ),
    )
    expect(exactly.status).toBe(200)
  })

  it.for([
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /nowhere\r\n\r\n',
    'get / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n',
    'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
  ])('P102: what is not even HTTP gets the same shape: %j', async (text) => {
    const refusal = refusalOf(parseAnswer(await sendRaw(service.url, text)))
    expect(refusal.status).toBeLessThan(500)
  })
})

describe('every error', () => {
  it('P102, P103, P104: has the five fields, a name of the table, its parameters, a new id that is logged, a sentence', async () => {
    const ids = new Set<string>()
    const calls: readonly (readonly [string, TestRequest?])[] = [
      ['/nowhere'],
      [list, { method: 'PATCH' }],
      [`${list}?pageSize=0`],
      [`${list}?colour=red`],
      [`${list}?pageToken=x`],
      [`${list}?orderBy=p.tags`],
      [`${list}?orderBy=p.rank:up`],
      [`${list}?orderBy=rank`],
      [`${list}?orderBy=p.rank,p.rank`],
      [`${list}?orderBy=p.a,p.b,p.c,p.d,p.e`],
      [`${list}/nobody`],
      [list, { headers: { authorization: 'Bearer wrong' } }],
      [search, jsonBody('{')],
      [search, { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }],
    ]
    const names = new Set<string>()
    for (const [path, init] of calls) {
      const answer = await answerOf(service, path, init)
      names.add(refusalOf(answer).errorName)
      const { errorInstanceId } = JSON.parse(answer.text) as { errorInstanceId: string }
      ids.add(errorInstanceId)
      expect(service.observations).toContainEqual(expect.objectContaining({ errorInstanceId }))
    }
    expect(ids.size).toBe(calls.length)
    expect([...names].filter((name) => !Object.hasOwn(errorTable, name))).toEqual([])
    expect(names.size).toBeGreaterThanOrEqual(13)
  })

  it('P110: an error body holds no credential and no text of the database', async () => {
    const calls: readonly (readonly [string, TestRequest?])[] = [
      [`${list}?orderBy=p.rank%00`],
      [`${list}?properties=rank%27;drop%20table`],
      [`${list}/${encodeURIComponent('\u0000')}`],
      [`/api/v1/ontologies/${encodeURIComponent("x'\u0000")}/objects/items7`],
      [`/api/v1/ontologies/${collection.ontologyRid}/objects/${encodeURIComponent('\u0000')}`],
      [`/api/${encodeURIComponent('\u0000')}/v1/objects/types/items7/search`, jsonBody(empty)],
      [search, jsonBody('{"query":{"type":"empty"},"select":["\\u0000","\\ud800"]}')],
      [search, jsonBody('{"query":{"type":"empty"},"orderBy":{"fields":[{"field":"\\ud800\\u0000"}]}}')],
    ]
    for (const [path, init] of calls) {
      const answer = await answerOf(service, path, init)
      expect(refusalOf(answer).status).toBeLessThan(500)
      expect(answer.text).not.toContain(testToken)
      expect(answer.text).not.toMatch(/postgres|octavo_|syntax|relation|column|invalid byte|at Object\./i)
    }
  })
})

it('P106, P102: a database that cannot be reached is answered with 503 and a time to wait', async () => {
  const gone = await serveOnFreshDatabase({ environment: { OCTAVO_DATABASE_URL: await unreachable() } })
  try {
    const answer = await answerOf(gone, '/api/v1/ontologies')
    expect(refusalOf(answer)).toMatchObject({ status: 503, errorName: 'Overloaded' })
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/)
  } finally {
    await gone.close()
  }
})

/** The address of a port with no listener. */
async function unreachable(): Promise<string> {
  for (let port = 1; port < 1_000; port += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket
        .once('connect', () => resolve(socket.destroy() !== undefined))
        .once('error', () => resolve(false))
    })
    if (!isOpen) return `postgres://nobody@127.0.0.1:${port}/none`
  }
  throw new Error('every port is open')
}
