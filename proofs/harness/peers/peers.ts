// What a team would use instead, on a plain table of the same objects.
import { askJson, type BenchRequest } from '../ask-json.ts'
import { keyOf } from '../sample-employees.ts'

type Objects = readonly Readonly<Record<string, unknown>>[]

interface Pages {
  /** How the service writes a cursor. */
  readonly placeOf: (number: number) => string
  readonly requestFor: (page: { readonly after: string; readonly pageSize: number }) => BenchRequest
}

export interface Peer {
  readonly name: string
  readonly file: string
  readonly ready: BenchRequest
  /** May query the service for how it writes cursors. */
  readonly pagesAt: (url: string) => Promise<Pages>
  /** A Lua pattern for the cursor of the next page, if an answer has one. */
  readonly next?: string
  readonly objectsIn: (answer: unknown) => Objects
  /** As a share of the collection; without it, every depth. */
  readonly onlyAtDepth?: number
}

const rowsIn = (answer: unknown): Objects => (answer as { readonly data: Objects }).data

const isReady: BenchRequest = { method: 'GET', path: '/ready', headers: {} }

export const keyset: Peer = {
  name: 'fastify + pg, keyset',
  file: 'keyset-service.ts',
  ready: isReady,
  pagesAt: async () => ({
    placeOf: keyOf,
    requestFor: ({ after, pageSize }) => ({
      method: 'GET',
      path: `/employees?after=${after}&limit=${pageSize}`,
      headers: {},
    }),
  }),
  next: '"next":"([^"]+)"',
  objectsIn: rowsIn,
}

export const offset: Peer = {
  name: 'fastify + pg, OFFSET at 0.9',
  file: 'offset-service.ts',
  ready: isReady,
  pagesAt: async () => ({
    placeOf: (number) => String(number + 1),
    requestFor: ({ after, pageSize }) => ({
      method: 'GET',
      path: `/employees?offset=${after}&limit=${pageSize}`,
      headers: {},
    }),
  }),
  objectsIn: rowsIn,
  onlyAtDepth: 0.9,
}

const query = `query Page($first: Int!, $after: Cursor) {
  allEmployees(first: $first, after: $after) {
    nodes { employeeId fullName department age about email hiredAt }
    pageInfo { hasNextPage endCursor }
  }
}`

const json = { 'content-type': 'application/json', accept: 'application/json' } as const

const graphql = (variables: { readonly first: number; readonly after?: string }): BenchRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: json,
  body: JSON.stringify({ query, variables }),
})

interface Connection {
  readonly nodes: Objects
  readonly pageInfo: { readonly endCursor: string }
}

function connectionIn(answer: unknown): Connection {
  const { data, errors } = answer as {
    readonly data?: { readonly allEmployees: Connection }
    readonly errors?: unknown
  }
  if (data === undefined || errors !== undefined) throw new Error(JSON.stringify(answer).slice(0, 500))
  return data.allEmployees
}

export const postgraphile: Peer = {
  name: 'PostGraphile, cursors',
  file: 'postgraphile-service.mjs',
  ready: { method: 'POST', path: '/graphql', headers: json, body: '{"query":"{__typename}"}' },
  pagesAt: async (url) => {
    const { pageInfo } = connectionIn(await askJson(url, graphql({ first: 1 })))
    // A cursor contains a digest of the order, and then the values of its keys.
    const [order] = JSON.parse(Buffer.from(pageInfo.endCursor, 'base64').toString()) as [string]
    return {
      placeOf: (number) => Buffer.from(JSON.stringify([order, keyOf(number)])).toString('base64'),
      requestFor: ({ after, pageSize }) => graphql({ first: pageSize, after }),
    }
  },
  next: '"endCursor":"([^"]+)"',
  objectsIn: (answer) => connectionIn(answer).nodes,
}

export const peers: readonly Peer[] = [offset, postgraphile, keyset]
