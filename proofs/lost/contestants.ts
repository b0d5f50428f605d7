// How a client reads the next page from each contestant, and how it knows that there is none.
import { searching } from '../../packages/service/test/support/page-revisions.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import type { WirePage } from '../../packages/service/test/support/walk-over-http.ts'
import { askJson, type BenchRequest } from '../harness/ask-json.ts'
import { keyset, offset, postgraphile, type Peer } from '../harness/peers/peers.ts'
import { startPeer } from '../harness/peers/start-peer.ts'
import type { ServerProcess } from '../harness/server-process.ts'
import { employeeIn, type Employee, type Order } from './employee.ts'
import type { TwoStores } from './two-stores.ts'

export interface ShownPage {
  readonly employees: readonly Employee[]
  /** Where the next page is, if there is one. */
  readonly next: string | undefined
}

interface PageAsked {
  readonly order: Order
  readonly pageSize: number
  /** What the page before it gave as `next`. */
  readonly cursor: string | undefined
}

export interface LostContestant {
  readonly name: string
  readonly readPage: (asked: PageAsked) => Promise<ShownPage>
}

/** A page of a service at this address. */
type ReadPageAt = (url: string, asked: PageAsked) => Promise<ShownPage>

interface Rows {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly next?: string
}

const get = (path: string, parameters: Readonly<Record<string, string>>): BenchRequest => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams(parameters).toString()}`,
  headers: {},
})

// A page that is not full is the last one, of either.
const readOffsetPage: ReadPageAt = async (url, { order, pageSize, cursor = '0' }) => {
  const request = get('/employees', { orderBy: order, limit: String(pageSize), offset: cursor })
  const { data } = (await askJson(url, request)) as Rows
  const next = data.length < pageSize ? undefined : String(Number(cursor) + pageSize)
  return { employees: data.map(employeeIn), next }
}

const readKeysetPage: ReadPageAt = async (url, { order, pageSize, cursor = '' }) => {
  const request = get('/employees', { orderBy: order, limit: String(pageSize), after: cursor })
  const { data, next } = (await askJson(url, request)) as Rows
  return { employees: data.map(employeeIn), next: data.length < pageSize ? undefined : next }
}

const queryIn = (order: Order): string => `query Page($first: Int!, $after: Cursor) {
  allEmployees(first: $first, after: $after, orderBy: ${order === 'hiredAt' ? 'HIRED_AT_ASC' : 'PRIMARY_KEY_ASC'}) {
    nodes { employeeId fullName department age about email hiredAt }
    pageInfo { hasNextPage endCursor }
  }
}`

interface GraphqlAnswer {
  readonly data?: {
    readonly allEmployees: {
      readonly nodes: Rows['data']
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
    }
  }
}

const readPostgraphilePage: ReadPageAt = async (url, { order, pageSize, cursor }) => {
  const answer = await askJson(url, {
    ...postgraphile.ready,
    body: JSON.stringify({ query: queryIn(order), variables: { first: pageSize, after: cursor } }),
  })
  const { data } = answer as GraphqlAnswer
  if (data === undefined) throw new Error(JSON.stringify(answer).slice(0, 500))
  const { nodes, pageInfo } = data.allEmployees
  return { employees: nodes.map(employeeIn), next: pageInfo.hasNextPage ? pageInfo.endCursor : undefined }
}

const octavoContestant = (
  { octavo, collection }: Pick<TwoStores, 'octavo' | 'collection'>,
  { name, snapshot }: { readonly name: string; readonly snapshot: boolean },
): LostContestant => ({
  name,
  readPage: async ({ order, pageSize, cursor }) => {
    const { path, init } = searching.call(collection, {
      pageSize,
      snapshot,
      pageToken: cursor,
      ...(order === 'hiredAt' && { orderBy: [{ property: 'hiredAt', direction: 'asc' }] }),
    })
    // Compressing pages would slow the run down and change nothing of what they hold.
    const headers = {
      ...init.headers,
      authorization: `Bearer ${testToken}`,
      'accept-encoding': 'identity',
    }
    const page = (await askJson(octavo.url, { ...init, path, headers })) as WirePage
    return {
      employees: page.data.map(({ properties }) => employeeIn(properties)),
      next: page.nextPageToken,
    }
  },
})

export const octavoDefault = 'Octavo, default mode'
export const octavoSnapshot = 'Octavo, snapshot'
export const offsetName = 'OFFSET'
export const keysetName = 'keyset'
export const postgraphileName = 'PostGraphile, cursors'

export const octavoContestants = (stores: TwoStores): readonly LostContestant[] => [
  octavoContestant(stores, { name: octavoDefault, snapshot: false }),
  octavoContestant(stores, { name: octavoSnapshot, snapshot: true }),
]

const handWritten = [
  { name: offsetName, peer: offset, readPageAt: readOffsetPage },
  { name: keysetName, peer: keyset, readPageAt: readKeysetPage },
]
const fromNpm = { name: postgraphileName, peer: postgraphile, readPageAt: readPostgraphilePage }

export interface StartedPeers {
  readonly contestants: readonly LostContestant[]
  readonly stop: () => Promise<void>
}

/** Those written by hand need no more than the workspace has; PostGraphile must be installed. */
export async function startPeers(
  databaseUrl: string,
  { withPostgraphile }: { readonly withPostgraphile: boolean },
): Promise<StartedPeers> {
  const started: ServerProcess[] = []
  const stop = async () => {
    for (const service of started) await service.stop()
  }
  const start = async ({ file, ready }: Peer): Promise<ServerProcess> => {
    const service = await startPeer({ file, ready, databaseUrl })
    started.push(service)
    return service
  }
  try {
    const contestants: LostContestant[] = []
    for (const { name, peer, readPageAt } of withPostgraphile ? [...handWritten, fromNpm] : handWritten) {
      const { url } = await start(peer)
      contestants.push({ name, readPage: (asked) => readPageAt(url, asked) })
    }
    return { contestants, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
