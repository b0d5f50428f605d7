import { baseTypeName, type ObjectTypeDefinition } from '@octavo/protocol'
import { pointerStep } from '../../base/value/json-object.ts'
import type { DefinitionProblem } from './definition-problem.ts'

/**
 * One problem for each change that is incompatible whatever the stored objects hold. Changes that depend on their contents are
 * checked in check-stored-objects.ts.
 */
export function incompatibleChanges(
  before: ObjectTypeDefinition,
  after: ObjectTypeDefinition,
): readonly DefinitionProblem[] {
  const refused: DefinitionProblem[] = []
  if (before.primaryKey !== after.primaryKey) {
    refused.push({
      path: '/primaryKey',
      problem: `primaryKey cannot change from ${before.primaryKey} to ${after.primaryKey}: it identifies the stored objects. Keep it, or declare a new object type.`,
    })
  }
  for (const [name, property] of Object.entries(before.properties)) {
    const next = Object.hasOwn(after.properties, name) ? after.properties[name] : undefined
    if (next === undefined) {
      refused.push({
        path: pathOf(name),
        problem: `Property ${name} cannot be removed: stored objects would lose its values. Keep it in the definition.`,
      })
    } else if (baseTypeName(property.type) !== baseTypeName(next.type)) {
      refused.push({
        path: `${pathOf(name)}/type`,
        problem: `Property ${name} cannot change from ${baseTypeName(property.type)} to ${baseTypeName(next.type)}: add a new property instead.`,
      })
    }
  }
  return refused
}

const pathOf = (property: string): string => `/properties${pointerStep(property)}`
