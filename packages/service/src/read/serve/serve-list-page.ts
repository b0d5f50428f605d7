// Serves a page of any list that does not hold objects: ontologies, object types, commits, access tokens, grants. The rules are
// the same as for objects: tokens, sizes, identity, reading one item ahead. A position holds the values that the list is ordered
// by.
import type { Caller } from '../../guard/auth/caller.ts'
import type { PageSizes } from '@octavo/protocol'
import { parsePaging } from '../request/parse-paging.ts'
import { refuseSnapshot, refuseUnknown, type QueryParameters } from '../request/query-parameters.ts'
import { identityOf } from '../request/request-identity.ts'
import { openWalk, type WalkService } from '../token/open-walk.ts'
import { tokenBinding } from '../token/token-binding.ts'

export interface ListPageArrival<Item> {
  readonly caller: Caller
  readonly parameters: QueryParameters
  /** The schema of the parameters that the list takes. */
  readonly query: { readonly properties: object }
  readonly endpoint: string
  /** The rid of the ontology or object type that the list belongs to; empty for a list of the whole service. */
  readonly within: string
  readonly sizes: PageSizes
  /** Reads at most `count` items after a position, in the order of the list. */
  readonly read: (after: readonly (string | null)[] | undefined, count: number) => Promise<readonly Item[]>
  readonly positionOf: (item: Item) => readonly string[]
}

export interface ListPage<Item> {
  readonly data: readonly Item[]
  readonly nextPageToken?: string
}

export async function serveListPage<Item>(
  service: WalkService,
  arrival: ListPageArrival<Item>,
): Promise<ListPage<Item>> {
  const { caller } = arrival
  refuseUnknown(Object.keys(arrival.parameters), Object.keys(arrival.query.properties))
  refuseSnapshot(arrival.parameters)
  const { pageSize, pageToken } = parsePaging(arrival.parameters, arrival.sizes)
  const binding = tokenBinding(caller, identityOf({ endpoint: arrival.endpoint, ontology: arrival.within }))
  const { walk, next } = openWalk(service, { pageToken, binding })
  const read = await arrival.read(walk?.position, pageSize + 1)
  const data = read.slice(0, pageSize)
  const last = data.at(-1)
  if (last === undefined || read.length <= pageSize) return { data }
  return { data, nextPageToken: next(data.length).tokenAfter(arrival.positionOf(last)) }
}

/** A list that is held in memory, ordered by a name. */
export const inMemory = <Item>(items: () => Promise<readonly Item[]>, nameOf: (item: Item) => string) => ({
  read: async (position: readonly (string | null)[] | undefined, count: number): Promise<readonly Item[]> => {
    const after = position?.[0] ?? undefined
    const left = (await items()).filter((item) => after === undefined || compareText(nameOf(item), after) > 0)
    return left.toSorted((a, b) => compareText(nameOf(a), nameOf(b))).slice(0, count)
  },
  positionOf: (item: Item): readonly string[] => [nameOf(item)],
})

/** Names hold only ASCII letters, so JavaScript's order is that of code points. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
