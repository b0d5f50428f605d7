import type { ObjectTypeDefinition } from '@octavo/protocol'

/**
 * The types in an order in which they can be applied: one that a link leads to comes before the type that declares the link. Types that
 * lead to each other in a circle keep the order of the file.
 */
export function linkedFirst(types: readonly ObjectTypeDefinition[]): readonly ObjectTypeDefinition[] {
  const ordered = new Set<ObjectTypeDefinition>()
  const add = (type: ObjectTypeDefinition, above: ReadonlySet<ObjectTypeDefinition>) => {
    if (ordered.has(type) || above.has(type)) return
    const within = new Set(above).add(type)
    for (const { objectType } of Object.values(type.links ?? {})) {
      const target = types.find(({ apiName }) => apiName === objectType)
      if (target !== undefined) add(target, within)
    }
    ordered.add(type)
  }
  for (const type of types) add(type, new Set())
  return [...ordered]
}
