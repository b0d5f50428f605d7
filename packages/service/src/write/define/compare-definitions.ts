import { baseTypeName, type ObjectTypeDefinition } from '@octavo/protocol'

/**
 * One sentence for each change that is incompatible whatever the stored objects hold. Changes that depend on their contents are
 * checked in check-stored-objects.ts.
 */
export function incompatibleChanges(
  before: ObjectTypeDefinition,
  after: ObjectTypeDefinition,
): readonly string[] {
  const refused: string[] = []
  if (before.primaryKey !== after.primaryKey) {
    refused.push(
      `primaryKey cannot change from ${before.primaryKey} to ${after.primaryKey}: it identifies the stored objects. Keep it, or declare a new object type.`,
    )
  }
  for (const [name, property] of Object.entries(before.properties)) {
    const next = Object.hasOwn(after.properties, name) ? after.properties[name] : undefined
    if (next === undefined) {
      refused.push(
        `Property ${name} cannot be removed: stored objects would lose its values. Keep it in the definition.`,
      )
    } else if (baseTypeName(property.type) !== baseTypeName(next.type)) {
      refused.push(
        `Property ${name} cannot change from ${baseTypeName(property.type)} to ${baseTypeName(next.type)}: add a new property instead.`,
      )
    }
  }
  return refused
}
