// The endpoint that everybody writes by hand: a list with OFFSET, and a batch endpoint that trusts its input. With a lie, it is one
// of the ordinary mistakes that could make the kit write over objects of somebody else.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Row {
  readonly id: number
  readonly label: string
  readonly rank: number
}

interface Listed {
  readonly rows: readonly Row[]
  readonly query: URLSearchParams
}

const idsIn = (query: URLSearchParams): readonly number[] => query.getAll('properties.id.eq').map(Number)
const isDescending = (query: URLSearchParams): boolean => query.get('orderBy') === 'properties.id:desc'

const sorted = ({ rows, query }: Listed): readonly Row[] => (isDescending(query) ? rows.toReversed() : rows)
const filtered = ({ rows, query }: Listed): readonly Row[] =>
  query.has('properties.id.eq') ? rows.filter(({ id }) => idsIn(query).includes(id)) : rows

/** What each server does with its rows before it cuts them into pages. */
export const handWritten = {
  'that keeps its word': (listed: Listed) => sorted({ ...listed, rows: filtered(listed) }),
  'that ignores the order': filtered,
  'that ignores filters': sorted,
  'that finds nothing by a filter': (listed: Listed) =>
    listed.query.has('properties.id.eq') ? [] : sorted(listed),
  'that sorts only the page': (listed: Listed) => {
    const rows = filtered(listed)
    const size = Number(listed.query.get('pageSize') ?? 20)
    return isDescending(listed.query) ? rows.slice(0, size).toReversed() : rows
  },
  'that lists only the first forty': (listed: Listed) => {
    const rows = listed.query.has('properties.id.eq') ? filtered(listed) : listed.rows.slice(0, 40)
    return sorted({ ...listed, rows })
  },
} as const

export type Behaviour = keyof typeof handWritten

export interface HandWrittenServer {
  readonly url: string
  readonly rows: () => readonly Row[]
  readonly batches: () => number
  readonly close: () => Promise<void>
}

type Change =
  | { readonly type: 'put'; readonly properties: Row }
  | { readonly type: 'delete'; readonly primaryKey: number }

export async function startHandWrittenServer(behaviour: Behaviour): Promise<HandWrittenServer> {
  const rows = new Map(
    Array.from({ length: 60 }, (_, i) => [i + 1, { id: i + 1, label: `thing ${i + 1}`, rank: (i * 7) % 13 }]),
  )
  let batches = 0
  const all = () => [...rows.values()].toSorted((a, b) => a.id - b.id)

  const list = (query: URLSearchParams): object => {
    const size = Math.min(Number(query.get('pageSize') ?? 20), 50)
    const offset = Number(Buffer.from(query.get('pageToken') ?? 'MA', 'base64url').toString())
    const found = handWritten[behaviour]({ rows: all(), query })
    const page = found.slice(offset, offset + size)
    const more = found.length > offset + size
    return {
      data: page.map((row) => ({ rid: `ri.x.main.object.${row.id}`, properties: row })),
      ...(more && { nextPageToken: Buffer.from(String(offset + size)).toString('base64url') }),
    }
  }
  const write = async (request: IncomingMessage): Promise<object> => {
    batches += 1
    for (const line of (await text(request)).split('\n').filter((each) => each !== '')) {
      const change = JSON.parse(line) as Change
      if (change.type === 'delete') rows.delete(change.primaryKey)
      else rows.set(change.properties.id, change.properties)
    }
    return {}
  }
  const answerTo = async (request: IncomingMessage): Promise<object | undefined> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://here')
    if (pathname === '/write') return write(request)
    if (pathname.endsWith('/objects/thing')) return list(searchParams)
    return pathname.endsWith('/objectTypes/thing') ? described : undefined
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await answerTo(request)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    rows: all,
    batches: () => batches,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const described = {
  apiName: 'thing',
  primaryKey: ['id'],
  properties: { id: { baseType: 'Integer' }, label: { baseType: 'String' }, rank: { baseType: 'Integer' } },
}
