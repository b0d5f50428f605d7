// Serves a page, step by step.
import { identityOf, type ModelAsk } from './model-ask.ts'
import { followedQuery, followsLinks, type StateOfType } from './links-steps.ts'
import { idOf, ontologyRid, owners, ownerType, type ModelObject, type State } from './model-data.ts'
import { latestVersion, stateAt, type ModelStore } from './model-store.ts'
import type { ModelWalk, TokenBox } from './model-token.ts'
import type { Steps } from './steps.ts'

export interface PageParts {
  readonly steps: Steps
  readonly store: ModelStore
  readonly box: TokenBox
}

/** The request with the state that its snapshot token names, if it has one. */
export const withNamedState = ({ steps, box }: PageParts, ask: ModelAsk, caller: string): ModelAsk =>
  ask.snapshotToken === undefined
    ? ask
    : { ...ask, named: steps.openSnapshot(ask.snapshotToken, { objectType: ask.objectType, caller, box }) }

interface ReadAt {
  readonly caller: string
  /** Undefined reads the latest. */
  readonly version: number | undefined
}

/** The objects of any type in one state, which the snapshot token of the request must name if there is one (P322). */
export const statesAt =
  ({ steps, store, box }: PageParts, { snapshotToken }: ModelAsk, { caller, version }: ReadAt): StateOfType =>
  (objectType) => {
    if (snapshotToken !== undefined) steps.openSnapshot(snapshotToken, { objectType, caller, box })
    return objectType === ownerType.apiName
      ? owners
      : stateAt(store, steps.linkedVersion(store, version ?? latestVersion(store)))
  }

/** The request with a query that follows no links. */
export const withFollowedLinks = (parts: PageParts, ask: ModelAsk, at: ReadAt): ModelAsk => ({
  ...ask,
  query: followedQuery(parts.steps, ask, statesAt(parts, ask, at)),
  followsLinks: followsLinks(ask.query),
})

export function servePage(parts: PageParts, asks: ModelAsk, caller: string): object {
  const { steps, store, box } = parts
  const ask = withNamedState(parts, asks, caller)
  const ofOwners = ask.objectType === ownerType.apiName
  const asked = steps.pageSizeOf(ask.pageSize, ask.sizes)
  const walk = ask.pageToken === undefined ? undefined : steps.openToken(ask.pageToken, box)
  if (walk !== undefined) steps.checkWalk(walk, ask, caller)
  const version = walk?.version ?? ask.named?.version ?? latestVersion(store)
  const state = ofOwners ? owners : steps.stateFor(store, ask, walk)
  const read = withFollowedLinks(parts, ask, { caller, version: ask.snapshot ? version : undefined })
  const sorted = sortedBy(steps, state, ask)
  const after = walk === undefined ? sorted : steps.restAfter(sorted, read, walk, steps.compare)
  const rest = walk?.partition === undefined ? after : steps.withinPartition(after, walk.partition.end)
  const before = walk?.returned ?? 0
  const size = Math.min(asked, steps.roomFor(ask, before))
  const page = steps.takePage(rest, size, read)
  const returned = before + page.objects.length
  const total = steps.totalOf(state, read, walk, store)
  const next = (): ModelWalk => ({
    caller,
    identity: identityOf(ask),
    issuedAt: Date.now(),
    version,
    startedAt: walk?.startedAt ?? performance.now(),
    last: page.last ?? {},
    returned,
    total,
    partition: walk?.partition,
  })
  const nextPageToken = steps.tokenField({ ...page, size, returned }, () => box.seal(next()))
  const isLast = typeof nextPageToken !== 'string' || nextPageToken === ''
  const snapshotToken = ask.snapshot
    ? steps.shownToken({ isLast }, () => box.seal({ versions: { [ask.objectType]: version } }))
    : undefined
  const isOfAll = steps.showsTotals(walk)
  const hasTotal = ask.endpoint === 'listObjects' || (ask.snapshot && ask.query.type === 'empty')
  return {
    data: page.objects.map((object) => recordOf(ask, object)),
    ...(nextPageToken !== undefined && { nextPageToken }),
    ...(isOfAll && hasTotal && totalFields(total)),
    version: String(steps.versionShown({ ask, read: version }, store)),
    ...(snapshotToken !== undefined && { snapshotToken }),
    ...(isOfAll && isLast && showsAll(ask) && { checksum: steps.checksumOf(state, ask, store) }),
  }
}

export const showsAll = ({ endpoint, snapshot, query, select }: ModelAsk): boolean =>
  endpoint === 'searchObjects' && snapshot && query.type === 'empty' && select === undefined

/** A cache, because sorting ten thousand objects for each page would make the tests of limits slow. */
const sortedStates = new WeakMap<State, Map<string, readonly ModelObject[]>>()

function sortedBy(steps: Steps, state: State, ask: ModelAsk): readonly ModelObject[] {
  const orders = sortedStates.get(state) ?? new Map<string, readonly ModelObject[]>()
  sortedStates.set(state, orders)
  const name = JSON.stringify(ask.orderBy)
  const known = orders.get(name) ?? [...state.values()].toSorted((a, b) => steps.compare(ask, a, b))
  orders.set(name, known)
  return known
}

/** A plus sign marks a lower bound (P69). */
export const totalFields = (total: string): object => ({
  totalCount: total.replace('+', ''),
  ...(total.endsWith('+') && { totalCountIsLowerBound: true }),
})

export function recordOf({ endpoint, objectType, select }: ModelAsk, object: ModelObject): object {
  const id = idOf(object)
  const wanted = select && new Set(['id', ...select])
  const properties = Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) =>
        (wanted === undefined || wanted.has(name)) &&
        (endpoint === 'searchObjects' || typeof value !== 'object'),
    ),
  )
  if (endpoint === 'listObjects') {
    const locator = Buffer.from(id).toString('base64url')
    return { rid: `${ontologyRid.replace('ontology.model', 'object')}.${locator}`, properties }
  }
  const title = object['label']
  return { primaryKey: id, objectType, ...(title !== undefined && { title }), properties }
}
