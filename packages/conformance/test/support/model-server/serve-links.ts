// What objects are linked to: from one object, from all that a query matches, and as pairs of keys.
import { linkPairsRequestSchema, pageSizes, type LinkPair, type Query } from '@octavo/protocol'
import { heldKeys, linkNamed, type ModelLink } from './links-steps.ts'
import { identityOf, type ModelAsk } from './model-ask.ts'
import { idOf, matches, stateOf } from './model-data.ts'
import { refuse } from './model-refusal.ts'
import { latestVersion } from './model-store.ts'
import { readListAsk, refuseUnknown } from './read-list-ask.ts'
import { jsonObjectIn, readObjectAsk, readSearchAsk } from './read-search-ask.ts'
import { servePage, statesAt, withFollowedLinks, withNamedState, type PageParts } from './serve-page.ts'

interface Linked {
  readonly objectType: string
  readonly link: string
}

/** The same search of the type that the link leads to, by the reverse of the link (P327). */
const reversed = ({ objectType, reverse }: ModelLink, ask: ModelAsk, query: Query): ModelAsk => ({
  ...ask,
  objectType,
  query: { type: 'linked', link: reverse, query },
})

export function searchAsk({ objectType, link }: Linked, text: string): ModelAsk {
  const ask = readSearchAsk(objectType, text)
  return reversed(linkNamed(objectType, link), ask, ask.query)
}

export function serveLinkedObjects(
  parts: PageParts,
  { objectType, link: name, primaryKey }: Linked & { readonly primaryKey: string },
  { parameters, caller }: { readonly parameters: URLSearchParams; readonly caller: string },
): object {
  const link = linkNamed(objectType, name)
  const asked = readListAsk(link.objectType, parameters)
  const { query } = asked
  const at = { caller, version: withNamedState(parts, asked, caller).named?.version }
  if (asked.pageToken === undefined && !statesAt(parts, asked, at)(objectType).has(primaryKey))
    return refuse('ObjectNotFound', { objectType, primaryKey })
  const ask = reversed(link, asked, { type: 'eq', field: 'id', value: primaryKey })
  return servePage(
    parts,
    query.type === 'empty' ? ask : { ...ask, query: { type: 'and', value: [query, ask.query] } },
    caller,
  )
}

/** The same in revision 2.0. */
export function serveFoundLinked(
  parts: PageParts,
  { objectType, link: name, primaryKey }: Linked & { readonly primaryKey: string },
  { parameters, caller }: { readonly parameters: URLSearchParams; readonly caller: string },
): object {
  const link = linkNamed(objectType, name)
  const asked = readObjectAsk(link.objectType, parameters)
  const at = { caller, version: withNamedState(parts, asked, caller).named?.version }
  if (asked.pageToken === undefined && !statesAt(parts, asked, at)(objectType).has(primaryKey))
    return refuse('ObjectNotFound', { objectType, primaryKey })
  return servePage(parts, reversed(link, asked, { type: 'eq', field: 'id', value: primaryKey }), caller)
}

/** The pairs of a link in the order of the objects that hold its keys; a page has all pairs of such an object. */
export function servePairs(
  parts: PageParts,
  { objectType, link: name }: Linked,
  text: string,
  caller: string,
) {
  const { steps, store, box } = parts
  const body = jsonObjectIn(text)
  refuseUnknown(Object.keys(body), Object.keys(linkPairsRequestSchema.properties))
  const link = linkNamed(objectType, name)
  const ask = withNamedState(parts, readSearchAsk(objectType, text), caller)
  const size = steps.pageSizeOf(ask.pageSize, pageSizes.search)
  const walk = ask.pageToken === undefined ? undefined : steps.openToken(ask.pageToken, box)
  const identity = { ...identityOf(ask), link: name }
  if (walk !== undefined) steps.checkWalk(walk, ask, caller)
  if (walk !== undefined && walk.identity['link'] !== name)
    return refuse('InvalidPageToken', { reason: 'requestChanged', changed: ['link'] })
  const version = (ask.snapshot ? (walk?.version ?? ask.named?.version) : undefined) ?? latestVersion(store)
  const stateOfType = statesAt(parts, ask, { caller, version })
  const { query } = withFollowedLinks(parts, ask, { caller, version })
  const sources = [...stateOfType(objectType).values()].filter((object) => matches(query, object))
  const targets = stateOfType(link.objectType)
  const holders = link.isHeldHere ? sources : [...targets.values()]
  const there = link.isHeldHere ? targets : stateOf(sources)
  const all = steps.pairsInOrder(
    holders
      .filter((holder) => heldKeys(holder, link.property).length > 0)
      .toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
      .map((holder) => steps.pairsOf(link, holder, there))
      .filter((pairs) => pairs.length > 0),
  )
  const from = walk?.returned ?? 0
  const kept = withinPage(all.slice(from), size)
  const returned = from + kept.length
  const now = { issuedAt: Date.now(), startedAt: performance.now() }
  const next = { ...now, caller, identity, version, last: {}, returned, total: '' }
  return {
    data: kept.flat(),
    ...(returned < all.length && { nextPageToken: box.seal(next) }),
    version: String(version),
  }
}

/** The objects whose pairs fit into the page; the first one always does (P328). */
function withinPage(objects: readonly (readonly LinkPair[])[], size: number) {
  let room = size
  const end = objects.findIndex((pairs, i) => {
    room -= pairs.length
    return room < 0 && i > 0
  })
  return end === -1 ? objects : objects.slice(0, end)
}
