// The steps of following a link, each as the contract requires. A broken server replaces one of them.
import type { LinkedQuery, LinkPair, LinkType, Query } from '@octavo/protocol'
import { idOf, matches, type ModelObject, type State, typeNamed } from './model-data.ts'
import { refuse } from './model-refusal.ts'
import type { ModelStore } from './model-store.ts'

/** A link as it is seen from one of its types. */
export interface ModelLink extends LinkType {
  /** The property that holds the keys, and whether it is one of the type that the link leads from. */
  readonly property: string
  readonly isHeldHere: boolean
}

export interface LinksSteps {
  /** The version of the other types that a page reads. */
  readonly linkedVersion: (store: ModelStore, version: number) => number
  /** The objects from which the link leads to one of the targets, as a query. */
  readonly linkedQuery: (link: ModelLink, targets: readonly ModelObject[], query: LinkedQuery) => Query
  /** The pairs of an object that holds keys, of which `there` are those of objects that are meant. */
  readonly pairsOf: (link: ModelLink, holder: ModelObject, there: State) => readonly LinkPair[]
  /** All pairs, object by object. */
  readonly pairsInOrder: (pairs: readonly (readonly LinkPair[])[]) => readonly (readonly LinkPair[])[]
}

export function linkNamed(objectType: string, name: string): ModelLink {
  const { links } = typeNamed(objectType)
  const link =
    new Map(Object.entries(links)).get(name) ??
    refuse('LinkTypeNotFound', { objectType, link: name, known: Object.keys(links) })
  const back = typeNamed(link.objectType).links[link.reverse]
  const { foreignKeyProperty } = link
  return {
    ...link,
    property: foreignKeyProperty ?? back?.foreignKeyProperty ?? '',
    isHeldHere: foreignKeyProperty !== undefined,
  }
}

export const heldKeys = (object: ModelObject, property: string): readonly string[] =>
  [object[property] ?? []].flat().map(String)

export const correctLinksSteps: LinksSteps = {
  linkedVersion: (_store, version) => version,

  linkedQuery: ({ property, isHeldHere }, targets) =>
    isHeldHere
      ? { type: 'in', field: property, value: targets.map(idOf) }
      : { type: 'in', field: 'id', value: targets.flatMap((target) => heldKeys(target, property)) },

  pairsOf: ({ property, isHeldHere }, holder, there) =>
    [...new Set(heldKeys(holder, property))]
      .filter((key) => there.has(key))
      .toSorted()
      .map((key) =>
        isHeldHere ? { source: idOf(holder), target: key } : { source: key, target: idOf(holder) },
      ),

  pairsInOrder: (pairs) => pairs,
}

/** The objects of a type in the state that is read. */
export type StateOfType = (objectType: string) => State

/** The query without links: each condition `linked` has become one on the property that holds the keys, or on the key. */
export function followedQuery(
  steps: LinksSteps,
  { objectType, query }: { readonly objectType: string; readonly query: Query },
  stateOfType: StateOfType,
): Query {
  const within = (part: Query): Query => followedQuery(steps, { objectType, query: part }, stateOfType)
  switch (query.type) {
    case 'and':
    case 'or':
      return { type: query.type, value: query.value.map(within) }
    case 'not':
      return { type: 'not', value: within(query.value) }
    case 'linked': {
      const link = linkNamed(objectType, query.link)
      const inner = followedQuery(steps, { objectType: link.objectType, query: query.query }, stateOfType)
      const targets = [...stateOfType(link.objectType).values()].filter((object) => matches(inner, object))
      return steps.linkedQuery(link, targets, query)
    }
    default:
      return query
  }
}

/** Whether the query follows a link. */
export const followsLinks = (query: Query): boolean =>
  query.type === 'linked' ||
  ((query.type === 'and' || query.type === 'or') && query.value.some(followsLinks)) ||
  (query.type === 'not' && followsLinks(query.value))

export const refuseLinks = (query: Query, endpoint: string): void => {
  if (followsLinks(query)) refuse('LinkedQueryNotSupported', { endpoint })
}
