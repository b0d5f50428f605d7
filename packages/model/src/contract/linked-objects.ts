// What links lead to, on objects in memory.
import type { Query } from '@octavo/protocol'
import { matchesQuery } from './match-query.ts'
import type { ModelType, Properties } from './model-type.ts'

/** A link as one of its types names it. */
export interface ModelLink {
  readonly name: string
  readonly reverse: string
  /** The name of the type that it leads to. */
  readonly to: string
  /** Holds the keys: a property of this type if the link is held, otherwise of the other type. */
  readonly property: string
  readonly isHeld: boolean
}

interface LinkedCollection {
  readonly definition: ModelType
  readonly links: readonly ModelLink[]
  /** Those that the caller may read. */
  readonly objects: readonly Properties[]
}

/** The collections by the name of their type. */
export type LinkedModel = ReadonlyMap<string, LinkedCollection>

function collectionOf(model: LinkedModel, name: string): LinkedCollection {
  const collection = model.get(name)
  if (collection === undefined) throw new Error(`no type ${name}`)
  return collection
}

export function linkedMatches(model: LinkedModel, type: string, query: Query): readonly Properties[] {
  const { definition, links, objects } = collectionOf(model, type)
  return objects.filter((object) =>
    matchesQuery(definition, query, object, (linked, from) => {
      const link = links.find(({ name }) => name === linked.link)
      if (link === undefined) throw new Error(`no link ${linked.link}`)
      return linkedMatches(model, link.to, linked.query).some((to) => isLinked(link, from, to))
    }),
  )
}

/** Which objects of a query lead to which objects, in no order. */
export function linkedPairs(
  model: LinkedModel,
  { type, link, query }: { readonly type: string; readonly link: ModelLink; readonly query: Query },
): readonly { readonly from: Properties; readonly to: Properties }[] {
  const targets = collectionOf(model, link.to).objects
  return linkedMatches(model, type, query).flatMap((from) =>
    targets.filter((to) => isLinked(link, from, to)).map((to) => ({ from, to })),
  )
}

const isLinked = ({ isHeld, property }: ModelLink, from: Properties, to: Properties): boolean =>
  isHeld ? [from[property]].flat().includes(to['id']) : [to[property]].flat().includes(from['id'])
