// What links mean, on objects in memory; uses no code of the service.
import type { Query } from '@octavo/protocol'
import type { GeneratedCaller } from '../policy-oracle/generate-policy.ts'
import { isVisibleTo } from '../policy-oracle/visible-objects.ts'
import type { Properties } from '../query-oracle/generate-objects.ts'
import { matchesQuery } from '../query-oracle/match-query.ts'
import type { GeneratedLink, LinkedType } from './generate-links.ts'

/** The objects of each type, by key. */
type LinkedObjects = ReadonlyMap<LinkedType, ReadonlyMap<unknown, Properties>>

export interface LinkedModel {
  readonly types: readonly LinkedType[]
  readonly objects: LinkedObjects
  readonly caller: ReadonlyMap<LinkedType, GeneratedCaller>
}

export function visibleObjects({ objects, caller }: LinkedModel, type: LinkedType): readonly Properties[] {
  const all = [...(objects.get(type)?.values() ?? [])]
  const of = caller.get(type)
  if (type.policy === undefined || of === undefined) return all
  return all.filter(isVisibleTo(type.generated.definition, type.policy.policy, of))
}

export function linkedMatches(model: LinkedModel, type: LinkedType, query: Query): readonly Properties[] {
  return visibleObjects(model, type).filter((object) =>
    matchesQuery(type.generated.definition, query, object, (linked, from) => {
      const link = type.links.find(({ name }) => name === linked.link)
      const target = model.types.find(({ generated }) => generated.definition.apiName === link?.to)
      if (link === undefined || target === undefined) throw new Error(`no link ${linked.link}`)
      const matches = linkedMatches(model, target, linked.query)
      return matches.some((other) => isLinked(link, from, other))
    }),
  )
}

/** Which visible objects of a query lead to which visible objects, in no order. */
export function linkedPairs(
  model: LinkedModel,
  { type, link, query }: { readonly type: LinkedType; readonly link: GeneratedLink; readonly query: Query },
): readonly { readonly from: Properties; readonly to: Properties }[] {
  const target = model.types.find(({ generated }) => generated.definition.apiName === link.to)
  if (target === undefined) throw new Error(`no type ${link.to}`)
  const targets = visibleObjects(model, target)
  return linkedMatches(model, type, query).flatMap((from) =>
    targets.filter((to) => isLinked(link, from, to)).map((to) => ({ from, to })),
  )
}

const isLinked = ({ isHeld, property }: GeneratedLink, from: Properties, to: Properties): boolean =>
  isHeld ? keysIn(from, property).includes(to['id']) : keysIn(to, property).includes(from['id'])

const keysIn = (object: Properties, property: string): readonly unknown[] => {
  const held = object[property]
  return held === undefined ? [] : Array.isArray(held) ? held : [held]
}
