// Serves the pairs of a link: which object leads to which. A page is read on the side that holds the keys, in the order of that side,
// so it costs what its objects cost. All pairs of such an object are on one page.
import type { LinkPair, Query } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import type { Link } from '../../catalog/links.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { PageEnvelope } from '../page/write-page.ts'
import type { PageService } from '../walk/page-service.ts'
import { compareValues } from '../plan/compare-values.ts'
import { filtersOf } from '../plan/plan-page.ts'
import type { PageRequest } from '../request/page-request.ts'
import { type PageRows, parsedRecords, type ParsedRecord } from '../rows/page/page-rows.ts'
import { servePage, type ServedPage } from './serve-page.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import type { LinkedStates } from '../token/walk.ts'
import { stateOf } from '../links/follow-links.ts'
import { followRequest } from '../walk/follow-request.ts'
import { heldKeys } from '../links/linked-keys.ts'
import { linkAt, linkedTo } from '../walk/through-link.ts'

export interface PairsArrival extends Omit<PageArrival, 'afterRead' | 'write'> {
  /** The name of the link, at the type of the target. */
  readonly link: string
}

export async function servePairs(
  service: PageService,
  { link: name, ...arrival }: PairsArrival,
): Promise<ServedPage> {
  const { caller, target } = arrival
  const request = arrival.parse()
  const place = { caller, target, link: name }
  const { link } = await linkAt(service, place)
  const holder = link.holder === 'from' ? link.from : link.to
  let pairs: readonly LinkPair[] = []
  return servePage(service, {
    ...arrival,
    target: { ...target, objectType: holder.apiName },
    parse: () => ({
      ...request,
      query: holdersOf(link, request.query),
      select: [link.property],
      orderBy: [{ property: holder.key.property, direction: 'asc' }],
    }),
    afterRead: async (rows, followed) => {
      invariant(followed !== undefined, 'pairs-without-a-link')
      const { states } = followed
      // Found again: the page is read again if a definition has changed.
      const found = await pairsIn(service, {
        ...arrival,
        ...(await linkAt(service, place)),
        rows,
        states,
        request,
      })
      const kept = withinPage(found, request.pageSize)
      pairs = kept.flatMap((each) => each.pairs)
      const last = kept.at(-1)
      return kept.length === found.length || last === undefined
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

interface PairsPage extends Pick<PageArrival, 'caller' | 'signal'> {
  readonly rows: PageRows
  readonly states: LinkedStates
  readonly link: Link
  readonly ontology: Ontology
  readonly request: PageRequest
}

/** The pairs of one object. */
interface HolderPairs {
  readonly holder: string
  readonly pairs: readonly LinkPair[]
}

/** The objects whose pairs fit into the page; the first one always does (P328). */
function withinPage(found: readonly HolderPairs[], pageSize: number): readonly HolderPairs[] {
  let room = pageSize
  const end = found.findIndex(({ pairs }, i) => {
    room -= pairs.length
    return room < 0 && i > 0
  })
  return end === -1 ? found : found.slice(0, end)
}

async function pairsIn(service: PageService, page: PairsPage): Promise<readonly HolderPairs[]> {
  const { rows, link } = page
  const { scalar } = (link.holder === 'from' ? link.to : link.from).key
  const objects = parsedRecords(rows)
  const keysOf = (object: ParsedRecord): readonly string[] => [...new Set(heldKeys(link, object))]
  // An object with one key was found by it; of several keys some may lead nowhere.
  const there = link.holdsMany ? await keysThere(service, page, objects.flatMap(keysOf)) : undefined
  return objects.map((object) => ({
    holder: object.primaryKey,
    pairs: keysOf(object)
      .filter((key) => there?.has(key) ?? true)
      .toSorted((a, b) => compareValues(scalar, a, b))
      .map((key) =>
        link.holder === 'from'
          ? { source: object.primaryKey, target: key }
          : { source: key, target: object.primaryKey },
      ),
  }))
}

/** Which of the keys that objects hold are those of objects that the caller may see, and that are meant. */
async function keysThere(
  service: PageService,
  { link, states, ontology, request, caller, signal }: PairsPage,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const [held, query] = link.holder === 'from' ? [link.to, everyObject] : [link.from, request.query]
  const { claims } = caller
  const followed = await followRequest(service, {
    ontology,
    type: held,
    request: { ...request, query },
    claims,
    known: states,
    signal,
  })
  const { filter } = filtersOf(held, { query }, claims, followed?.links)
  return service.store.findKeys(held, {
    keys: [...new Set(keys)],
    filter,
    at: stateOf(states, held),
  })
}

const everyObject: Query = { type: 'empty' }

function writePairs(
  data: readonly LinkPair[],
  { nextPageToken, version, snapshotToken }: PageEnvelope,
): Buffer {
  return Buffer.from(
    JSON.stringify({
      data,
      ...(nextPageToken !== undefined && { nextPageToken }),
      version,
      ...(snapshotToken !== undefined && { snapshotToken }),
    }),
  )
}
