// Says what applying a definition would do, without doing it.
import type { DefinitionChange, ObjectTypeDefinition } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { definitionProblems } from './check-definition.ts'
import { incompatibleChanges } from './incompatible-changes.ts'
import { definitionChanges } from './definition-changes.ts'
import { layoutColumns, mostColumns } from '../../catalog/layout-columns.ts'
import type { ObjectType } from '../../catalog/object-type.ts'

export interface ExpectedChange {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly changes: readonly DefinitionChange[]
}

/** Refuses what applying would refuse. */
export function checkObjectType(
  before: ObjectType | undefined,
  definition: ObjectTypeDefinition,
): ExpectedChange {
  const problems = definitionProblems(definition)
  if (problems.length > 0) throw new ServiceError('InvalidDefinition', { problems: [...problems] })
  if (before === undefined) return { outcome: 'created', changes: [] }
  const changes = definitionChanges(before.definition, definition)
  if (changes.length === 0) return { outcome: 'unchanged', changes }
  const incompatible = incompatibleChanges(before.definition, definition)
  if (incompatible.length > 0) {
    throw new ServiceError('IncompatibleDefinition', {
      objectType: before.apiName,
      problems: [...incompatible],
    })
  }
  const columns = layoutColumns(definition, before).filter(({ role }) => role !== 'hash').length
  if (columns > mostColumns) {
    // Columns of properties that used to be searchable are kept, so there can be more than the definition needs.
    const problem = `would need ${columns} columns, including those of earlier definitions, but the maximum is ${mostColumns}: make fewer properties searchable or sortable`
    throw new ServiceError('InvalidDefinition', { problems: [{ path: '/properties', problem }] })
  }
  return { outcome: 'updated', changes }
}
