import type { DefinitionChange } from '@octavo/protocol'
import { isJsonObject, pointerStep, type JsonObject } from '../../base/value/json-object.ts'

/** The differences between a new definition and the one before it, path by path. */
export function definitionChanges(before: unknown, after: unknown, path = ''): readonly DefinitionChange[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) =>
      definitionChanges(valueIn(before, name), valueIn(after, name), `${path}${pointerStep(name)}`),
    )
  }
  // The order of members does not matter, so objects are compared member by member above; what is left is a text or a list.
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

const valueIn = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined
