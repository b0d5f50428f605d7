import type { ModelChange } from '@octavo/model'
import type { ObjectType } from '../../src/catalog/object-type.ts'
import { canonicaliseObject } from '../../src/write/commit/canonicalise-object.ts'
import type { Change, TypeChanges } from '../../src/write/commit/change.ts'

/** The change that puts the object; an invalid object fails the test with the reason. */
export function putObject(type: ObjectType, properties: Readonly<Record<string, unknown>>): Change {
  const made = canonicaliseObject(type, properties)
  if ('problems' in made) throw new Error(JSON.stringify(made.problems))
  return { kind: 'put', object: made.object }
}

/** Changes of the model, as a commit takes them. */
export const partOf = (type: ObjectType, changes: readonly ModelChange[]): TypeChanges => ({
  type,
  changes: changes.map(({ key, object }) =>
    object === undefined ? { kind: 'delete', key } : putObject(type, object),
  ),
})
