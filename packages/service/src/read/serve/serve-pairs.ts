// Serves the pairs of a link: which object leads to which. A page is read on the side that holds the keys, in the order of that side,
// so it costs what its objects cost. All pairs of such an object are on one page.
import type { LinkPair, Query } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import type { Link } from '../../catalog/links.ts'
import { stateIn } from '../links/follow-links.ts'
import { heldKeys } from '../links/linked-keys.ts'
import type { PageEnvelope } from '../page/write-page.ts'
import { compareValues } from '../plan/compare-values.ts'
import { filtersOf } from '../plan/plan-page.ts'
import { parsedRecords, type PageRows, type ParsedRecord } from '../rows/page/page-rows.ts'
import type { LinkedStates } from '../token/walk.ts'
import { followRequest } from '../walk/follow-request.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import type { PageService } from '../walk/page-service.ts'
import { linkAt, linkedTo } from '../walk/through-link.ts'
import type { RequestContext } from '../walk/type-context.ts'
import { servePage, type ServedPage } from './serve-page.ts'
import { findKeys } from '../rows/state/find-keys.ts'

export interface PairsArrival extends Omit<PageArrival, 'afterRead' | 'write'> {
  /** The name of the link, at the type of the target. */
  readonly link: string
}

export async function servePairs(service: PageService, arrival: PairsArrival): Promise<ServedPage> {
  const request = arrival.parse()
  const { link } = await linkAt(service, arrival)
  const holder = link.holder === 'from' ? link.from : link.to
  let pairs: readonly LinkPair[] = []
  return servePage(service, {
    ...arrival,
    target: { ...arrival.target, objectType: holder.apiName },
    parse: () => ({
      ...request,
      query: holdersOf(link, request.query),
      select: [link.property],
      orderBy: [{ property: holder.key.property, direction: 'asc' }],
    }),
    afterRead: async (rows, followed) => {
      invariant(followed !== undefined, 'pairs-without-a-link')
      // Found again: the page is read again if a definition has changed.
      const fresh = await linkAt(service, arrival)
      const context = { ...arrival, ...fresh, service, request, states: followed.states }
      const read = await pairsIn(context, rows)
      const kept = withinPage(read, request.pageSize)
      pairs = kept.flatMap((each) => each.pairs)
      const last = kept.at(-1)
      return kept.length === read.length || last === undefined
        ? rows
        : { ...rows, more: true, objects: kept.length, position: [last.holder] }
    },
    write: (_rows, envelope) => writePairs(pairs, envelope),
  })
}

/** The objects that hold the keys of the wanted pairs. */
const holdersOf = (link: Link, query: Query): Query =>
  link.holder === 'from'
    ? { type: 'and', value: [query, { type: 'linked', link: link.apiName, query: { type: 'empty' } }] }
    : linkedTo(link, query)

interface PairsContext extends Omit<RequestContext, 'type'> {
  readonly link: Link
  readonly states: LinkedStates
}

/** The pairs of one object. */
interface HolderPairs {
  readonly holder: string
  readonly pairs: readonly LinkPair[]
}

/** The objects whose pairs fit into the page; the first one always does (P328). */
function withinPage(holders: readonly HolderPairs[], pageSize: number): readonly HolderPairs[] {
  let room = pageSize
  const end = holders.findIndex(({ pairs }, i) => {
    room -= pairs.length
    return room < 0 && i > 0
  })
  return end === -1 ? holders : holders.slice(0, end)
}

async function pairsIn(context: PairsContext, rows: PageRows): Promise<readonly HolderPairs[]> {
  const { link } = context
  const { scalar } = (link.holder === 'from' ? link.to : link.from).key
  const objects = parsedRecords(rows)
  const keysOf = (object: ParsedRecord): readonly string[] => [...new Set(heldKeys(link, object))]
  // An object with one key was found by it; of several keys some may lead nowhere.
  const visible = link.holdsMany ? await visibleKeys(context, objects.flatMap(keysOf)) : undefined
  return objects.map((object) => ({
    holder: object.primaryKey,
    pairs: keysOf(object)
      .filter((key) => visible?.has(key) ?? true)
      .toSorted((a, b) => compareValues(scalar, a, b))
      .map((key) =>
        link.holder === 'from'
          ? { source: object.primaryKey, target: key }
          : { source: key, target: object.primaryKey },
      ),
  }))
}

/** Which of the keys that objects hold are those of objects that the caller may see, and that are meant. */
async function visibleKeys(
  { link, states, ...context }: PairsContext,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { service, caller, request } = context
  const [type, query] = link.holder === 'from' ? [link.to, everyObject] : [link.from, request.query]
  const followed = await followRequest({ ...context, type, request: { ...request, query } }, states)
  const { filter } = filtersOf(type, { query }, caller.claims, followed?.links)
  return findKeys(service.store, type, { keys: [...new Set(keys)], filter, at: stateIn(states, type) })
}

const everyObject: Query = { type: 'empty' }

const writePairs = (
  data: readonly LinkPair[],
  { nextPageToken, version, snapshotToken }: PageEnvelope,
): Buffer => Buffer.from(JSON.stringify({ data, nextPageToken, version, snapshotToken }))
