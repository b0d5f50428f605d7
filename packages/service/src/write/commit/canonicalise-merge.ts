// Checks the properties that a line merges, and prepares them: as JSON, because what they change is not known yet.
import type { ObjectType } from '../../catalog/object-type.ts'
import { canonicaliseObject, type Problem } from './canonicalise-object.ts'
import type { Merge } from './change.ts'

export type CanonicalisedMerge = Pick<Merge, 'key' | 'properties'> | { readonly problems: readonly Problem[] }

export function canonicaliseMerge(
  type: ObjectType,
  properties: Readonly<Record<string, unknown>>,
): CanonicalisedMerge {
  const canonical = canonicaliseObject(type, properties, { partial: true })
  if ('problems' in canonical) return canonical
  const { key, scalars, others } = canonical.object
  const removed = Object.keys(properties)
    .filter((name) => properties[name] === null)
    .map((name) => `${JSON.stringify(name)}:null`)
  return { key, properties: `{${[scalars, others, ...removed].filter(Boolean).join(',')}}` }
}
