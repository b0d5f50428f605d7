// Streams: a whole snapshot walk in one answer, which can be continued after every page.
import type { Case } from './case.ts'
import { demandRefusal } from './refusal.ts'
import { isSmallType } from './order-samples.ts'
import { demand, shown } from '../clauses/clause-failure.ts'
import { headers as headerNames, mediaTypes } from '@octavo/protocol'
import { filterFor, spreadObjects } from '../subject/chosen-objects.ts'
import { withOwnObjects } from '../subject/own-objects.ts'
import type { PageAsk } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { askForStream, readStream, type Stream } from '../subject/read-stream.ts'
import { difference, keysOf, readWalk } from '../subject/read-walk.ts'
import type { Subject } from '../subject/subject.ts'
import type { WireRecord } from '../subject/wire-page.ts'

/** Several pages of it, whatever the type holds. */
const someObjects = (subject: Subject): PageAsk => ({ filter: filterFor(subject, spreadObjects(subject, 8)) })

export const streamCases: readonly Case[] = [
  {
    clause: 'P260',
    title: 'an export is a stream, whatever the request accepts',
    revision: '2.0',
    run: async (subject) => {
      for (const accept of [mediaTypes.ndjson, '*/*', mediaTypes.json]) {
        const exchange = await askForStream(subject, someObjects(subject), { accept })
        const type = exchange.headers.get('content-type') ?? 'none'
        demand(type.startsWith(mediaTypes.ndjson), {
          clause: 'P260',
          expected: `${mediaTypes.ndjson} for Accept: ${accept}`,
          found: type,
          exchange,
        })
      }
    },
  },
  {
    clause: 'P261',
    title: 'a stream has the objects of a snapshot walk, an object a line, and what its last page has',
    revision: '2.0',
    run: async (subject) => {
      const asks = [someObjects(subject), { ...someObjects(subject), select: [] }, wholeType(subject)]
      for (const ask of asks.filter((each) => each !== undefined)) {
        const walk = await readWalk(subject, {
          clause: 'P35',
          ask: { ...ask, snapshot: true },
          pageSizes: [3],
        })
        const stream = await readStream(subject, 'P261', { ...ask, pageSize: 3 })
        demandRecords(subject, 'P261', stream, walk.records)
        const last: Readonly<Record<string, unknown>> = walk.pages.at(-1) ?? {}
        for (const field of ['version', 'totalCount', 'checksum'] as const) {
          demand(JSON.stringify(stream.end[field]) === JSON.stringify(last[field]), {
            clause: 'P261',
            expected: `${field} as on the last page of the walk: ${shown(last[field])}`,
            found: shown(stream.end[field]),
            exchange: stream.exchange,
          })
        }
        demand('snapshotToken' in stream.end === 'snapshotToken' in last, {
          clause: 'P261',
          expected: 'snapshotToken in the last line, as on the last page of the walk',
          exchange: stream.exchange,
        })
      }
    },
  },
  {
    clause: 'P262',
    title: 'a refusal before the first line is answered like that of any other request',
    revision: '2.0',
    run: async (subject) => {
      demandRefusal(await askForStream(subject, { pageToken: 'none' }), {
        clause: 'P262',
        name: 'InvalidPageToken',
        because: 'no server made this token',
      })
    },
  },
  {
    clause: 'P263',
    title: 'every page token of a stream continues right after its line, as a stream and as a page',
    revision: '2.0',
    run: async (subject) => {
      const ask = someObjects(subject)
      const whole = await readStream(subject, 'P263', { ...ask, pageSize: 3 })
      demand(whole.tokens.length > 0, {
        clause: 'P261',
        expected: 'the line `page` after every page that is not the last',
        exchange: whole.exchange,
      })
      for (const { pageToken, after } of whole.tokens) {
        const rest = whole.records.slice(after)
        const stream = await readStream(subject, 'P263', { ...ask, pageToken, pageSize: 2 })
        demandRecords(subject, 'P263', stream, rest)
        const asked = { ...ask, snapshot: true, pageToken, pageSize: 2 }
        const { page, exchange } = await readPage(subject, 'P263', asked)
        demandRecords(subject, 'P263', { records: page.data, exchange }, rest.slice(0, 2))
        const { nextPageToken } = page
        if (nextPageToken === undefined) continue
        const others = await readStream(subject, 'P263', { ...ask, pageToken: nextPageToken })
        demandRecords(subject, 'P263', others, rest.slice(2))
      }
    },
  },
  {
    clause: 'P263',
    title: 'a stream that is continued after a change shows the state that it began with',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async ({ filter, setTo }) => {
        await setTo([0, 1, 2, 3, 4, 5], 1)
        const whole = await readStream(subject, 'P263', { filter, pageSize: 2 })
        await setTo([0, 2, 4], 2)
        await setTo([1, 3, 5], undefined)
        await setTo([6, 7], 1)
        for (const { pageToken, after } of whole.tokens) {
          const stream = await readStream(subject, 'P263', { filter, pageToken })
          demandRecords(subject, 'P263', stream, whole.records.slice(after))
        }
      }),
  },
  {
    clause: 'P264',
    title: 'a stream is always of one snapshot, and the mode is no field of its request',
    revision: '2.0',
    run: async (subject) => {
      demandRefusal(await askForStream(subject, { snapshot: false }), {
        clause: 'P264',
        name: 'UnknownParameter',
        because: 'a stream is always of one snapshot',
      })
    },
  },
  {
    clause: 'P269',
    title: 'a stream has no digest, also if one is wanted',
    revision: '2.0',
    run: async (subject) => {
      const exchange = await askForStream(subject, someObjects(subject), {
        [headerNames.wantContentDigest]: 'sha-256=1',
      })
      demand(exchange.headers.get(headerNames.contentDigest) === null, {
        clause: 'P269',
        expected: 'no header Content-Digest',
        exchange,
      })
    },
  },
]

/** Without a filter, where the type is small enough: only then there are a total and a checksum. */
const wholeType = (subject: Subject): PageAsk | undefined => (isSmallType(subject) ? {} : undefined)

function demandRecords(
  subject: Subject,
  clause: string,
  { records, exchange }: Pick<Stream, 'records' | 'exchange'>,
  expected: readonly WireRecord[],
): void {
  const other = records.find((record, i) => JSON.stringify(record) !== JSON.stringify(expected[i]))
  demand(other === undefined && records.length === expected.length, {
    clause,
    expected: `the ${expected.length} objects that belong here, as a snapshot walk shows them`,
    found: difference(keysOf(subject, records), keysOf(subject, expected)) ?? `other values: ${shown(other)}`,
    exchange,
  })
}
