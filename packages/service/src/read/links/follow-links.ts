// A query may follow links: it asks for objects that are linked to objects of another type. Before the page is planned, each such
// condition becomes a filter. If few objects of the other type match, their keys are read, and the filter is a list of values, which
// an index finds. Otherwise each object of the page is checked. Either way all types are read in one state.
import type { LinkedQuery, Query } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import { nothing, type Filter } from '../../catalog/filter/filter.ts'
import type { Claims } from '../../catalog/filter/policy-filter.ts'
import { columnNamed, keyColumnOf, type FollowedLinks } from '../../catalog/filter/resolve-filter.ts'
import { findLink, type Link } from '../../catalog/links.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { filtersOf, mayHide, planPage } from '../plan/plan-page.ts'
import { estimateMatches } from '../rows/numbers/estimate-matches.ts'
import type { RowSources } from '../rows/state/row-sources.ts'
import type { Captured, LinkedStates } from '../token/walk.ts'
import { linkedKeys } from './linked-keys.ts'
import { linkedQueries } from './linked-queries.ts'

export interface FollowSources {
  readonly store: RowSources
  readonly claims: Claims
  readonly signal?: AbortSignal | undefined
}

/** The conditions that follow a link, with the links, outer ones first. */
export interface LinkInQuery {
  readonly query: LinkedQuery
  readonly link: Link
  readonly inner: readonly LinkInQuery[]
}

/** Finds the links that a query follows. */
export function linksInQuery(
  type: ObjectType,
  types: readonly ObjectType[],
  query: Query,
): readonly LinkInQuery[] {
  return linkedQueries(query).map((linked) => {
    const link = findLink(type, types, linked.link)
    return { query: linked, link, inner: linksInQuery(link.to, types, linked.query) }
  })
}

/** The object types that these links lead to. */
export const typesOf = (links: readonly LinkInQuery[]): readonly ObjectType[] => [
  ...new Set(links.flatMap(({ link, inner }) => [link.to, ...typesOf(inner)])),
]

export async function followLinks(
  sources: FollowSources,
  links: readonly LinkInQuery[],
  states: LinkedStates,
): Promise<FollowedLinks> {
  const followed = new Map<Query, Filter>()
  for (const each of links) followed.set(each.query, await follow(sources, each, states))
  return followed
}

async function follow(sources: FollowSources, each: LinkInQuery, states: LinkedStates): Promise<Filter> {
  const { store, claims } = sources
  const { link, query, inner } = each
  const at = stateIn(states, link.to)
  const links = await followLinks(sources, inner, states)
  const types = [link.to, ...typesOf(inner)]
  const { filter } = filtersOf(link.to, query, claims, links)
  const [column, other] = columnsOf(link)
  if (filter === nothing) return nothing
  const keys = await linkedKeys(sources, {
    link,
    filter,
    isGuarded: mayHide(types),
    plan: () =>
      planPage({
        type: link.to,
        request: {
          endpoint: 'searchObjects',
          pageSize: store.mostLinkedKeys,
          pageToken: undefined,
          snapshot: true,
          orderBy: [],
          // Only what the link compares is read.
          select: link.holder === 'to' ? [link.property] : [],
          query: query.query,
          filters: [],
        },
        claims,
        walk: undefined,
        named: at,
        estimate: (...some) => estimateMatches(store, link.to, ...some),
        followed: { links, types },
      }),
  })
  if (keys === undefined)
    return { kind: 'linked', column, other: { type: link.to, at, column: other, filter } }
  return keys.length === 0 ? nothing : { kind: 'one-of', column, values: keys }
}

/** The columns that hold the same keys: of the side that the link starts at, and of the other. */
const columnsOf = ({ from, to, property, holder }: Link) =>
  holder === 'from'
    ? ([columnNamed(from, property), keyColumnOf(to)] as const)
    : ([keyColumnOf(from), columnNamed(to, property)] as const)

export function stateIn(states: LinkedStates, { id }: ObjectType): Captured {
  const state = states.get(id)
  invariant(state !== undefined, 'state-of-another-type')
  return { kind: 'snapshot', version: state.version, tag: state.tag }
}
