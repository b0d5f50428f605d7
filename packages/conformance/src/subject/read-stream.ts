// Reads a stream and checks what must be true of every one (P261): whole lines, records and their page tokens, and a last line.
import { mediaTypes } from '@octavo/protocol'
import { demand, shown } from '../clauses/clause-failure.ts'
import { jsonOf, type Exchange } from '../exchange/exchange.ts'
import { exportRequest, type PageAsk } from './page-request.ts'
import type { Subject } from './subject.ts'
import { isObject, isRecord, type WireRecord } from './wire-page.ts'

export interface Stream {
  readonly records: readonly WireRecord[]
  /** The page tokens, each with the number of records before its line. */
  readonly tokens: readonly { readonly pageToken: unknown; readonly after: number }[]
  readonly end: Readonly<Record<string, unknown>>
  readonly exchange: Exchange
}

export const askForStream = (
  subject: Subject,
  ask: PageAsk,
  headers: Readonly<Record<string, string>> = {},
): Promise<Exchange> => {
  const request = exportRequest(subject.collection, ask)
  return subject.send({ ...request, headers: { ...request.headers, ...headers } })
}

/** `clause` is the clause that is broken if the request is refused. */
export async function readStream(subject: Subject, clause: string, ask: PageAsk): Promise<Stream> {
  const exchange = await askForStream(subject, ask)
  demand(exchange.status === 200, { clause, expected: 'a stream with status 200', exchange })
  const type = exchange.headers.get('content-type') ?? 'none'
  demand(type.startsWith(mediaTypes.ndjson), {
    clause: 'P260',
    expected: `a stream, of the type ${mediaTypes.ndjson}`,
    found: type,
    exchange,
  })
  const lines = exchange.text.split('\n')
  demand(lines.pop() === '', { clause: 'P261', expected: 'a line end after the last line', exchange })
  const records: WireRecord[] = []
  const tokens: Stream['tokens'][number][] = []
  let end: Stream['end'] | undefined
  for (const line of lines) {
    const value = jsonOf(line)
    demand(isObject(value), {
      clause: 'P261',
      expected: 'a JSON object on every line',
      found: shown(line),
      exchange,
    })
    demand(end === undefined, { clause: 'P261', expected: 'no line after the last one', exchange })
    if (value['type'] === 'page') tokens.push({ pageToken: value['nextPageToken'], after: records.length })
    else if (value['type'] !== 'object') end = value
    else {
      const { object } = value
      demand(isRecord(object), { clause: 'P261', expected: 'a record in object', exchange })
      records.push(object)
    }
  }
  demand(end?.['type'] === 'end', {
    clause: 'P261',
    expected: 'the line `end` as the last one',
    found: shown(jsonOf(lines.at(-1) ?? '')),
    exchange,
  })
  demand(end['objectCount'] === records.length, {
    clause: 'P261',
    expected: `the number of objects in the stream as objectCount: ${records.length}`,
    found: shown(end['objectCount']),
    exchange,
  })
  return { records, tokens, end, exchange }
}
