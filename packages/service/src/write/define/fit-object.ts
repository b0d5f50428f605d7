// Whether a stored object fits a definition. It uses the code that makes the columns of new objects, so every object that fits can be
// filled in and indexed afterwards.
import type { Row } from '../../postgres/database.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { pointerStep } from '../../base/value/json-object.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { TableSide } from '../../catalog/type-tables.ts'
import { canonicaliseObject, type CanonicalObject } from '../commit/canonicalise-object.ts'

export interface UnfitObject {
  readonly path: string
  readonly primaryKey: string
  readonly problem: string
}

/** The object under the definition of the type, or why it does not fit. */
export function fitObject(type: ObjectType, row: Row, side: TableSide): CanonicalObject | UnfitObject {
  const made = canonicaliseObject(type, storedProperties(row))
  if ('object' in made) return made.object
  const [problem] = made.problems
  const { property = '', problem: broken = '' } = problem ?? {}
  const primaryKey = row['pk'] ?? ''
  const key = JSON.stringify(primaryKey)
  return {
    path: `/properties${pointerStep(property)}`,
    primaryKey,
    problem:
      side === 'current'
        ? `Property ${property} of the stored object ${key} ${broken}. Change that object first.`
        : `Property ${property} of an earlier state of the object ${key} ${broken}. Apply the definition again once that state is no longer kept for snapshots.`,
  }
}

export const doesNotFit = (type: ObjectType, problems: readonly UnfitObject[]): ServiceError =>
  new ServiceError('IncompatibleDefinition', { objectType: type.apiName, problems: [...problems] })

/** The properties of a stored object, as a caller would put them. */
function storedProperties(row: Row): Readonly<Record<string, unknown>> {
  const members = [row['scalars'], row['others']].filter((text) => text != null).join(',')
  return JSON.parse(`{${members}}`) as Record<string, unknown>
}
