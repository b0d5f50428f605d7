// What a team would use instead, on a plain table of the same objects.
import { checkObjects, keyOf } from '../data/expected-objects.ts'
import { runWrk } from '../load/wrk.ts'
import type { ServedProcess } from '../services/served-process.ts'
import { askJson } from './ask-json.ts'
import type { BenchRequest, Contestant } from './contestant.ts'
import { depthsOf, walkOf } from './depths.ts'

type Objects = readonly Readonly<Record<string, unknown>>[]

interface Pages {
  /** How the service writes a place. */
  readonly placeOf: (number: number) => string
  readonly requestFor: (page: { readonly after: string; readonly pageSize: number }) => BenchRequest
}

export interface Peer {
  readonly name: string
  readonly file: string
  readonly ready: BenchRequest
  /** May query the service for how it writes places. */
  readonly pagesAt: (url: string) => Promise<Pages>
  /** A Lua pattern for the place of the next page, if an answer has one. */
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

export interface PeerPages {
  readonly service: ServedProcess
  readonly pageSize: number
  readonly objects: number
}

export function peerContestant(peer: Peer, { service, pageSize, objects }: PeerPages): Contestant {
  const depths = depthsOf(objects, pageSize)
  const only = peer.onlyAtDepth === undefined ? undefined : [Math.floor(objects * peer.onlyAtDepth)]
  return {
    name: peer.name,
    pageSize,
    pids: [service.pid],
    check: async () => {
      const { placeOf, requestFor } = await peer.pagesAt(service.url)
      for (const after of only ?? depths.some) {
        const answer = await askJson(service.url, requestFor({ after: placeOf(after), pageSize }))
        checkObjects(peer.objectsIn(answer), { after, pageSize, mode: 'latest' })
      }
    },
    load: async (options) => {
      const { placeOf, requestFor } = await peer.pagesAt(service.url)
      const requests = (only ?? depths.all).map((after) => requestFor({ after: placeOf(after), pageSize }))
      const walk =
        peer.next === undefined
          ? undefined
          : walkOf(depths, { next: peer.next, requestFor: (after) => requestFor({ after, pageSize }) })
      return runWrk({ ...options, urls: [service.url], requests, walk })
    },
  }
}
