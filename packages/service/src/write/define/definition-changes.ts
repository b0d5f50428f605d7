import type { DefinitionChange } from '@octavo/protocol'
import { isJsonObject, pointerStep, type JsonObject } from '../../base/value/json-object.ts'

/** What a new definition says otherwise than the one before it, place by place. */
export function definitionChanges(before: unknown, after: unknown, path = ''): readonly DefinitionChange[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) =>
      definitionChanges(valueIn(before, name), valueIn(after, name), `${path}${pointerStep(name)}`),
    )
  }
  // The order of members says nothing, so values with members are compared above; what is left is a text or a list.
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

const valueIn = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined
