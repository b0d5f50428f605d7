import type { Case } from './case.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { demandRefusal } from './refusal.ts'
import { filterFor, spreadObjects } from '../subject/chosen-objects.ts'
import { otherScalars } from '../subject/known-type.ts'
import {
  getRequest,
  listParameters,
  objectTypesPath,
  pageRequest,
  postRequest,
  collectionPath,
  searchBody,
  type PageAsk,
} from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { keysOf } from '../subject/read-walk.ts'
import { askForPage, type Subject } from '../subject/subject.ts'
import { tokenOf } from './page-tokens.ts'

export function demandChanged(
  exchange: Exchange,
  clause: string,
  part: string | undefined,
  because: string,
): void {
  const { parameters } = demandRefusal(exchange, {
    clause,
    name: 'InvalidPageToken',
    parameters: { reason: 'requestChanged' },
    because,
  })
  const { changed } = parameters
  const names = Array.isArray(changed) ? changed : []
  demand(names.length > 0 && (part === undefined || names.includes(part)), {
    clause: 'P25',
    expected: `parameters.changed to name what differs${part === undefined ? '' : `: ${part}`}`,
    exchange,
  })
}

/** A filtered list of a few objects: every part of the request can be changed on the second page. */
const firstAsk = (subject: Subject): PageAsk => ({
  pageSize: 2,
  filter: filterFor(subject, spreadObjects(subject, 6)),
})

/** Revision 1.0 has no `query`. */
const filterPart = ({ collection }: Subject): string => (collection.revision === '1.0' ? 'filters' : 'query')

export const requestIdentityCases: readonly Case[] = [
  {
    clause: 'P24',
    title: 'a second page that leaves out the filter or the mode of the first is refused',
    run: async (subject) => {
      const filtered = firstAsk(subject)
      const token = await tokenOf(subject, filtered)
      const unfiltered = await askForPage(subject, { pageSize: 2, pageToken: token })
      demandChanged(unfiltered, 'P24', filterPart(subject), 'the filter of the first page is missing')
      const snapshotToken = await tokenOf(subject, { pageSize: 2, snapshot: true })
      const inDefaultMode = await askForPage(subject, { pageSize: 2, pageToken: snapshotToken })
      demandChanged(inDefaultMode, 'P24', 'snapshot', 'the mode of the first page is missing')
    },
  },
  {
    clause: 'P25',
    title: 'a token used with another request is refused, and the error names what changed',
    run: async (subject) => {
      const { key } = subject.type
      const ask = firstAsk(subject)
      const pageToken = await tokenOf(subject, ask)
      const [selected] = otherScalars(subject.type)
      const others: readonly (readonly [PageAsk, string | undefined, string])[] = [
        [
          { filter: filterFor(subject, spreadObjects(subject, 5)) },
          filterPart(subject),
          'the filter is another',
        ],
        [{ orderBy: [{ property: key.name, direction: 'desc' }] }, undefined, 'the order is another'],
        [{ snapshot: true }, 'snapshot', 'the mode is another'],
        ...(selected === undefined
          ? []
          : [[{ select: [selected.name] }, undefined, 'the selection is another'] as const]),
      ]
      for (const [change, part, because] of others) {
        demandChanged(await askForPage(subject, { ...ask, pageToken, ...change }), 'P25', part, because)
      }
      if (subject.otherType === undefined) return
      const plainToken = await tokenOf(subject)
      const collection = { ...subject.collection, objectType: subject.otherType }
      const elsewhere = await askForPage({ ...subject, collection }, { pageSize: 2, pageToken: plainToken })
      demandChanged(elsewhere, 'P25', 'objectType', 'the object type is another')
    },
  },
  {
    clause: 'P26',
    title: 'requests are compared by meaning, not by text',
    run: async (subject) => {
      const ask = firstAsk(subject)
      const pageToken = await tokenOf(subject, ask)
      const expected = await readPage(subject, 'P26', { ...ask, pageToken })
      for (const request of rewritings(subject, { ...ask, pageToken })) {
        const exchange = await subject.send(request)
        const { page } =
          exchange.status === 200 ? { page: exchange.body as { data: [] } } : { page: undefined }
        demand(page !== undefined, {
          clause: 'P26',
          expected: 'the next page, since the request means the same',
          exchange,
        })
        demand(
          JSON.stringify(keysOf(subject, page.data)) === JSON.stringify(keysOf(subject, expected.page.data)),
          { clause: 'P26', expected: 'the same objects', exchange },
        )
      }
    },
  },
  {
    clause: 'P26',
    title: 'the order of list items makes another request',
    revision: '2.0',
    run: async (subject) => {
      const chosen = spreadObjects(subject, 6)
      const pageToken = await tokenOf(subject, { pageSize: 2, filter: filterFor(subject, chosen) })
      const filter = filterFor(subject, chosen.toReversed())
      demandChanged(
        await askForPage(subject, { pageSize: 2, pageToken, filter }),
        'P26',
        'query',
        'the values of the list are in another order',
      )
    },
  },
  {
    clause: 'P27',
    title: 'a parameter or field that is not defined is refused by name',
    run: async (subject) => {
      const exchange = await askForPage(subject, { pageSize: 2 }, { extra: { colour: 'red' } })
      const { parameters } = demandRefusal(exchange, {
        clause: 'P27',
        name: 'UnknownParameter',
        parameters: { unknownParameters: ['colour'] },
        because: 'the endpoint does not define colour',
      })
      const { expectedParameters } = parameters
      demand(Array.isArray(expectedParameters) && expectedParameters.includes('pageSize'), {
        clause: 'P27',
        expected: 'expectedParameters to name what the endpoint defines',
        exchange,
      })
      demandRefusal(await subject.send(getRequest(`${objectTypesPath(subject.collection)}?colour=red`)), {
        clause: 'P27',
        name: 'UnknownParameter',
        because: 'the endpoint does not define colour',
      })
    },
  },
  {
    clause: 'P407',
    title: 'a GET with a body is refused, and an empty body is none',
    run: async ({ collection, send }) => {
      const request = getRequest(objectTypesPath(collection))
      demandRefusal(await send({ ...request, headers: { 'content-type': 'application/json' }, body: '{}' }), {
        clause: 'P407',
        name: 'UnknownParameter',
        parameters: { unexpectedBody: true },
        because: 'the endpoint does not define a body',
      })
      const exchange = await send({ ...request, body: '' })
      demand(exchange.status === 200, { clause: 'P407', expected: 'the list, as without a body', exchange })
    },
  },
  {
    clause: 'P408',
    title: 'a precondition of a batch is refused, whether it would hold or not',
    writes: true,
    run: async ({ writer, freeKeys }) => {
      const [primaryKey] = freeKeys?.keys ?? []
      if (writer?.attempt === undefined || primaryKey === undefined) {
        skip('needs the endpoint for batches of a type: give its address as --writer-url')
      }
      const preconditions = {
        'If-Match': '*',
        'If-None-Match': '*',
        'If-Unmodified-Since': new Date().toUTCString(),
      }
      for (const [name, value] of Object.entries(preconditions)) {
        // No object has this key, so a batch that is applied all the same changes nothing.
        const exchange = await writer.attempt([{ type: 'delete', primaryKey }], { [name]: value })
        demandRefusal(exchange, {
          clause: 'P408',
          name: 'InvalidParameterValue',
          parameters: { parameterId: name },
          because: `a batch does not honour ${name}`,
        })
      }
    },
  },
  {
    clause: 'P28',
    title: 'the query parameter preview is accepted with any value and has no effect',
    run: async (subject) => {
      const plain = await readPage(subject, 'P28', { pageSize: 2 })
      const request = pageRequest(subject.collection, { pageSize: 2 })
      for (const value of ['true', 'false', 'x']) {
        const path = `${request.path}${request.path.includes('?') ? '&' : '?'}preview=${value}`
        const exchange = await subject.send({ ...request, path })
        demand(
          exchange.status === 200 &&
            JSON.stringify((exchange.body as { data: unknown }).data) === JSON.stringify(plain.page.data),
          { clause: 'P28', expected: 'the page that comes without preview', exchange },
        )
      }
    },
  },
  {
    clause: 'P29',
    title: 'a query parameter that takes one value is refused when it is given twice',
    run: async (subject) => {
      const { collection, send } = subject
      const paths = [
        objectTypesPath(collection),
        ...(collection.revision === '1.0' ? [collectionPath(collection)] : []),
      ]
      for (const path of paths) {
        demandRefusal(await send(getRequest(`${path}?pageSize=1&pageSize=2`)), {
          clause: 'P29',
          name: 'InvalidParameterValue',
          because: 'pageSize is given twice',
        })
      }
    },
  },
]

/** Other ways to write the same request. */
function rewritings(subject: Subject, ask: PageAsk): readonly ReturnType<typeof getRequest>[] {
  const { collection } = subject
  if (collection.revision === '2.0') {
    const fields = Object.entries(searchBody(ask))
    const reversed = Object.fromEntries(fields.toReversed())
    return [
      postRequest(collectionPath(collection), reversed),
      postRequest(collectionPath(collection), JSON.stringify(reversed, null, 4)),
      postRequest(collectionPath(collection), { ...reversed, snapshot: false }),
    ]
  }
  const written = listParameters(ask).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  )
  // Filters on one property keep their order: only the parameters around them move.
  const others = written.filter((parameter) => !parameter.startsWith('properties.'))
  const filters = written.filter((parameter) => parameter.startsWith('properties.'))
  const shortened = filters.map((parameter) => parameter.replace(/^properties\./, 'p.'))
  return [
    [...filters, ...others.toReversed()],
    [...others, ...filters, 'snapshot=false'],
    [...others, ...shortened],
  ].map((parameters) => getRequest(`${collectionPath(collection)}?${parameters.join('&')}`))
}
