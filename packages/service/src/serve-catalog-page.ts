// A page of a list that the catalog holds: ontologies, object types. The same rules as for objects: tokens, sizes,
// identity. The list is in memory and in order, so a position is the key of its last item.
import type { Caller } from './auth/caller.ts'
import type { PageSizes } from '@octavo/protocol'
import { pageSizeFromText, parsePageSize } from './request/parse-page-size.ts'
import { parsePageToken } from './request/parse-page-token.ts'
import { oneValue, refuseUnknown, type QueryParameters } from './request/query-parameters.ts'
import { identityParts, type RequestIdentity } from './request/request-identity.ts'
import { openPageToken } from './token/open-page-token.ts'
import { sealPageToken } from './token/seal-page-token.ts'
import { tokenBinding } from './token/token-binding.ts'
import type { TokenSealer } from './token/token-sealer.ts'

export interface CatalogPageService {
  readonly sealer: TokenSealer
  readonly now: () => Date
  readonly newWalkId: () => string
}

export interface CatalogPageArrival<Item> {
  readonly caller: Caller
  readonly parameters: QueryParameters
  readonly endpoint: string
  /** What the list belongs to: an ontology's rid, or nothing. */
  readonly within: string
  readonly sizes: PageSizes
  readonly items: (caller: Caller) => Promise<readonly Item[]>
  readonly keyOf: (item: Item) => string
}

export interface CatalogPage<Item> {
  readonly data: readonly Item[]
  readonly nextPageToken?: string
}

export async function serveCatalogPage<Item>(
  service: CatalogPageService,
  arrival: CatalogPageArrival<Item>,
): Promise<CatalogPage<Item>> {
  const { caller } = arrival
  refuseUnknown(Object.keys(arrival.parameters), ['pageSize', 'pageToken'])
  const pageSize = parsePageSize(pageSizeFromText(oneValue(arrival.parameters, 'pageSize')), arrival.sizes)
  const pageToken = parsePageToken(oneValue(arrival.parameters, 'pageToken'))
  const binding = tokenBinding(caller, catalogIdentity(arrival))
  const now = service.now()
  const walk =
    pageToken === undefined ? undefined : openPageToken(service.sealer, pageToken, { binding, now })

  const items = (await arrival.items(caller)).toSorted((a, b) =>
    compareText(arrival.keyOf(a), arrival.keyOf(b)),
  )
  const after = walk?.position[0] ?? undefined
  const left =
    after === undefined ? items : items.filter((item) => compareText(arrival.keyOf(item), after) > 0)
  const data = left.slice(0, pageSize)
  const last = data.at(-1)
  if (last === undefined || left.length <= pageSize) return { data }
  const next = {
    id: walk?.id ?? service.newWalkId(),
    mode: { kind: 'default' } as const,
    order: undefined,
    total: undefined,
    served: (walk?.served ?? 0) + data.length,
    position: [arrival.keyOf(last)],
  }
  return { data, nextPageToken: sealPageToken(service.sealer, next, { binding, now }) }
}

/** Names hold ASCII letters only, so the order of JavaScript is that of code points. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function catalogIdentity({
  endpoint,
  within,
}: {
  readonly endpoint: string
  readonly within: string
}): RequestIdentity {
  const none = Object.fromEntries(identityParts.map((part) => [part, ''])) as RequestIdentity
  return { ...none, endpoint, ontology: within }
}
