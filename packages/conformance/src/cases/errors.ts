import { limits } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand } from '../clauses/clause-failure.ts'
import type { Exchange, Sent } from '../exchange/exchange.ts'
import { demandRefusal, refusalOf } from './refusal.ts'
import {
  collectionPath,
  getRequest,
  objectTypePath,
  objectTypesPath,
  pageRequest,
  postRequest,
} from '../subject/page-request.ts'
import { askForPage, type Subject } from '../subject/subject.ts'
import { isObject } from '../subject/wire-page.ts'

/** Requests that are refused, each for a different reason. */
function badRequests({ collection, type }: Subject): readonly Sent[] {
  const path = collectionPath(collection)
  const ask = (extra: Parameters<typeof pageRequest>[1]) => pageRequest(collection, extra)
  return [
    ask({ pageSize: 0 }),
    ask({ pageToken: 'none' }),
    ask({ orderBy: [{ property: 'octavoConformanceNone', direction: 'asc' }] }),
    ask({ filter: { kind: 'gt', property: 'octavoConformanceNone', value: 'x' } }),
    ask({ select: ['octavoConformanceNone'] }),
    pageRequest(collection, {}, { colour: 'red' }),
    pageRequest({ ...collection, objectType: 'octavoConformanceNone' }, {}),
    pageRequest(
      { ...collection, ontology: collection.revision === '1.0' ? `${collection.ontology}0` : 'none' },
      {},
    ),
    getRequest(`${path}/x/y/z/octavo-conformance`),
    getRequest(objectTypePath({ ...collection, objectType: 'octavoConformanceNone' })),
    { method: 'DELETE', path: objectTypesPath(collection), headers: {} },
    ...(collection.revision === '2.0'
      ? [
          postRequest(path, '{'),
          postRequest(path, '[]'),
          postRequest(path, { query: { type: 'eq', field: type.key.name, value: { a: 1 } } }),
          { method: 'POST', path, headers: {} } as const,
          { method: 'POST', path, headers: { 'content-type': 'text/plain' }, body: 'x' } as const,
        ]
      : []),
  ]
}

async function refusals(subject: Subject): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const request of badRequests(subject)) exchanges.push(await subject.send(request))
  return exchanges
}

/** The answers to all bad requests, each checked to be a refusal. */
async function everyRefusal(subject: Subject): Promise<readonly Exchange[]> {
  const exchanges = await refusals(subject)
  for (const exchange of exchanges) {
    demand(exchange.status >= 400 && exchange.status < 500, {
      clause: 'P110',
      expected: 'a refusal that blames the request',
      exchange,
    })
    refusalOf(exchange)
  }
  return exchanges
}

export const errorCases: readonly Case[] = [
  {
    clause: 'P102',
    title: 'every refusal has the same body, whatever part of the server refused',
    run: async (subject) => {
      await everyRefusal(subject)
    },
  },
  {
    clause: 'P103',
    title: 'errorName and its parameters are those of the table of errors',
    run: async (subject) => {
      await everyRefusal(subject)
    },
  },
  {
    clause: 'P104',
    title: 'every refusal has a different errorInstanceId',
    run: async (subject) => {
      const exchanges = await everyRefusal(subject)
      const ids = exchanges.map(({ body }) => (isObject(body) ? body['errorInstanceId'] : undefined))
      const at = ids.findIndex((id, i) => ids.indexOf(id) !== i)
      demand(at === -1, { clause: 'P104', expected: 'a new errorInstanceId', exchange: exchanges[at] })
    },
  },
  {
    clause: 'P105',
    title: 'the status follows from errorCode',
    run: async (subject) => {
      await everyRefusal(subject)
    },
  },
  {
    clause: 'P107',
    title: 'a body that is not JSON or has the wrong shape is refused with the place of the fault',
    revision: '2.0',
    run: async ({ collection, send }) => {
      const path = collectionPath(collection)
      for (const body of ['{', 'x', '[]', '{"query":1}', '{"query":{"type":"empty"},"orderBy":[]}']) {
        demandRefusal(await send(postRequest(path, body)), {
          clause: 'P107',
          name: 'Conjure:UnprocessableEntity',
          because: 'the body is not a search',
        })
      }
    },
  },
  {
    clause: 'P108',
    title: 'a missing body, a wrong content type, an unknown path and a wrong method are refused by name',
    run: async ({ collection, send }) => {
      const path = collectionPath(collection)
      demandRefusal(await send(getRequest('/api/v1/octavo-conformance/none')), {
        clause: 'P108',
        name: 'PathNotFound',
        because: 'no endpoint has this path',
      })
      const exchange = await send({ method: 'DELETE', path, headers: {} })
      demandRefusal(exchange, {
        clause: 'P108',
        name: 'MethodNotAllowed',
        because: 'the path does not take this method',
      })
      const method = collection.revision === '1.0' ? 'GET' : 'POST'
      demand((exchange.headers.get('allow') ?? '').includes(method), {
        clause: 'P108',
        expected: `the header Allow with ${method}`,
        found: exchange.headers.get('allow') ?? 'none',
        exchange,
      })
      if (collection.revision === '1.0') return
      demandRefusal(await send({ method: 'POST', path, headers: {} }), {
        clause: 'P108',
        name: 'MissingPostBody',
        parameters: { expectedMediaType: 'application/json' },
        because: 'there is no body',
      })
      const asText = { method: 'POST', path, headers: { 'content-type': 'text/plain' }, body: 'x' } as const
      demandRefusal(await send(asText), {
        clause: 'P108',
        name: 'Conjure:UnsupportedMediaType',
        because: 'the body is not JSON',
      })
    },
  },
  {
    clause: 'P182',
    title: 'a path with an empty segment is an unknown path, not one with an empty name',
    run: async ({ collection, send }) => {
      const path = objectTypesPath(collection)
      for (const odd of [`${path}/`, `${path}//`, `${path}/?pageSize=1`]) {
        demandRefusal(await send(getRequest(odd)), {
          clause: 'P182',
          name: 'PathNotFound',
          because: 'a segment of the path is empty',
        })
      }
    },
  },
  {
    clause: 'P109',
    title: 'an unknown object type and an unknown property are refused by name',
    run: async (subject) => {
      const collection = { ...subject.collection, objectType: 'octavoConformanceNone' }
      demandRefusal(await subject.send(pageRequest(collection, {})), {
        clause: 'P109',
        name: 'ObjectTypeNotFound',
        because: 'there is no such object type',
      })
      const orderBy = [{ property: 'octavoConformanceNone', direction: 'asc' as const }]
      demandRefusal(await askForPage(subject, { orderBy }), {
        clause: 'P109',
        name: 'PropertiesNotFound',
        because: 'there is no such property',
      })
    },
  },
  {
    clause: 'P110',
    title: 'no input causes an internal error',
    run: async (subject) => {
      const strange = [
        "'",
        '"',
        '\\',
        ' ',
        '%',
        ';--',
        '{}',
        '\u{1F600}',
        '-1e999',
        '../..',
        'x'.repeat(3_000),
      ]
      for (const text of strange) {
        const asks = [{ pageSize: text }, { pageToken: text }, { snapshot: text }, { select: [text] }]
        const orderBy = [{ property: text, direction: 'asc' as const }]
        const filter = { kind: 'gt', property: text, value: text } as const
        for (const ask of [...asks, { orderBy }, { filter }]) {
          const exchange = await askForPage(subject, ask)
          demand(exchange.status < 500, { clause: 'P110', expected: 'no status of 500 or more', exchange })
        }
      }
    },
  },
  {
    clause: 'P111',
    title: 'a URL or a body that is too large is refused with its part and maximum',
    run: async (subject) => {
      const { collection, send } = subject
      const long = 'x'.repeat(limits.request.urlBytes)
      demandRefusal(await send(getRequest(`${objectTypesPath(collection)}?preview=${long}`)), {
        clause: 'P111',
        name: 'RequestTooLarge',
        parameters: { limit: 'urlBytes', maximum: limits.request.urlBytes },
        because: 'the URL is longer than 16 KiB',
      })
      if (collection.revision === '1.0') return
      const body = `{"query":{"type":"empty"}${' '.repeat(limits.request.bodyBytes)}}`
      demandRefusal(await send(postRequest(collectionPath(collection), body)), {
        clause: 'P111',
        name: 'RequestTooLarge',
        parameters: { limit: 'bodyBytes', maximum: limits.request.bodyBytes },
        because: 'the body is larger than 1 MiB',
      })
    },
  },
]
