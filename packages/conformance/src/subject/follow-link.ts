// What a link leads to, worked out from plain searches of both types: the answers that requests through the link must agree with.
import { linkPairsPageSchema, type LinkPair } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { demand, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { filterFor } from './chosen-objects.ts'
import { compareValues } from './compare-values.ts'
import type { NamedLink } from './known-type.ts'
import { objectTypePath, postRequest, queryOf, type Filter } from './page-request.ts'
import { checkedToken, sizesOf } from './read-page.ts'
import { readWalk } from './read-walk.ts'
import { keyOf, type Subject } from './subject.ts'
import { surveyOther } from './survey.ts'
import { isPage, type WireRecord } from './wire-page.ts'

/** A link, some objects that it leads from, and all that it leads to from there. */
export interface KnownLink {
  readonly link: NamedLink
  readonly target: Subject
  /** The property that holds the keys, and whether it is one of the type that the kit checks. */
  readonly property: string
  readonly isHeldHere: boolean
  readonly sources: readonly WireRecord[]
  /** In the order of P328. */
  readonly pairs: readonly LinkPair[]
}

export const linkQuery = (link: string, filter?: Filter): object => ({
  type: 'linked',
  link,
  query: filter === undefined ? { type: 'empty' } : queryOf(filter),
})

const mostLinks = 4
const mostSources = 12

export function linksOf({ type }: Subject): readonly NamedLink[] {
  return type.links.length === 0 ? skip('needs a type with links') : type.links.slice(0, mostLinks)
}

/** The keys that the property holds, as text. */
const heldKeys = (record: WireRecord, property: string): readonly string[] =>
  [record.properties[property] ?? []].flat().map(String)

export const keyText = (subject: Subject, record: WireRecord): string => String(keyOf(subject, record))

/** Refuses nothing: a link whose other side is not shown breaks P329, which its own case reports. */
export async function knownLink(subject: Subject, link: NamedLink): Promise<KnownLink> {
  const target = await surveyOther(subject, link.objectType)
  const back = target.type.links.find(({ apiName }) => apiName === link.reverse)
  const property = link.foreignKeyProperty ?? back?.foreignKeyProperty
  if (property === undefined) return skip(`needs a link whose other side is shown: ${link.apiName} is not`)
  const isHeldHere = link.foreignKeyProperty !== undefined
  const known = { link, target, property, isHeldHere }
  const linked = isHeldHere
    ? subject.sample.filter((one) => heldKeys(one, property).length > 0)
    : subject.sample
  const unlinked = subject.sample.filter((one) => !linked.includes(one)).slice(0, 2)
  const step = Math.max(1, Math.floor(linked.length / mostSources))
  const sources = [...linked.filter((_, i) => i % step === 0).slice(0, mostSources), ...unlinked]
  return { ...known, sources, pairs: await pairsBetween(subject, known, sources) }
}

async function pairsBetween(
  subject: Subject,
  { target, property, isHeldHere }: Pick<KnownLink, 'target' | 'property' | 'isHeldHere'>,
  sources: readonly WireRecord[],
): Promise<readonly LinkPair[]> {
  const [holderKind, heldKind] = isHeldHere ? [subject, target] : [target, subject]
  const held = sources.flatMap((one) => [one.properties[property] ?? []].flat())
  const values = isHeldHere
    ? [...new Set(held.filter((key) => typeof key === 'string' || typeof key === 'number'))]
    : sources.map((source) => keyOf(subject, source))
  const filter = { kind: 'anyOf', property: isHeldHere ? target.type.key.name : property, values } as const
  const { records } = await readWalk(target, {
    clause: 'P87',
    ask: { filter, snapshot: true },
    pageSizes: [sizesOf('2.0').maximum],
  })
  const there = new Set((isHeldHere ? records : sources).map((one) => keyText(heldKind, one)))
  const holderKey = holderKind.type.key
  return (isHeldHere ? sources : records)
    .toSorted((a, b) => compareValues(holderKey.scalar, keyOf(holderKind, a), keyOf(holderKind, b)))
    .flatMap((holder) => {
      const own = keyText(holderKind, holder)
      return [...new Set(heldKeys(holder, property))]
        .filter((key) => there.has(key))
        .toSorted((a, b) => compareValues(heldKind.type.key.scalar, a, b))
        .map((key) => (isHeldHere ? { source: own, target: key } : { source: key, target: own }))
    })
}

export interface ReadPairs {
  readonly pages: readonly (readonly LinkPair[])[]
  readonly pairs: readonly LinkPair[]
  readonly last: Exchange
}

const shape = Compile(linkPairsPageSchema)

/** `clause` is the clause that is broken if a page is refused. */
export async function readPairs(
  { collection, send }: Subject,
  clause: string,
  { link, ...ask }: { readonly link: string; readonly filter: Filter; readonly pageSize?: number },
): Promise<ReadPairs> {
  const pages: (readonly LinkPair[])[] = []
  const { filter, ...plain } = ask
  for (let pageToken: string | undefined; ;) {
    const path = `${objectTypePath(collection)}/links/${encodeURIComponent(link)}/pairs`
    const exchange = await send(postRequest(path, { ...plain, query: queryOf(filter), pageToken }))
    demand(exchange.status === 200, { clause, expected: 'a page of pairs with status 200', exchange })
    const { body } = exchange
    demand(isPage(body), { clause: 'P1', expected: 'a JSON object whose field data is an array', exchange })
    const { nextPageToken } = checkedToken(exchange, body, collection.revision)
    demand(shape.Check(body), {
      clause: 'P328',
      expected: 'pairs with source and target, the primary keys as texts',
      exchange,
    })
    demand(body.data.length > 0 || nextPageToken === undefined, {
      clause: 'P5',
      expected: 'at least one pair on a page that has a nextPageToken',
      exchange,
    })
    pages.push(body.data)
    pageToken = nextPageToken
    if (pageToken === undefined) return { pages, pairs: pages.flat(), last: exchange }
    demand(pages.length < 2_500, { clause, expected: 'the walk to end within 2,500 pages', exchange })
  }
}

/** The objects that the link leads from, as a filter. */
export const sourcesFilter = (subject: Subject, { sources }: KnownLink): Filter => filterFor(subject, sources)
