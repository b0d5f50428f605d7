import type { ObjectTypeDefinition, PropertyDefinition, ScalarType } from '@octavo/protocol'
import type { Column } from './column.ts'
import type { IndexDeclaration } from './index-declaration.ts'
import { invariant } from '../base/errors/invariant.ts'

/** The contents of an object type's row: the definition as it was applied, and the columns and indexes made from it. */
export interface StoredObjectType {
  readonly rid: string
  readonly definition: ObjectTypeDefinition
  readonly columns: readonly Column[]
  readonly indexes: readonly IndexDeclaration[]
}

/** An object type as all stages use it. The names of tables and columns can be used in SQL as they are. */
export interface ObjectType extends StoredObjectType {
  readonly id: number
  /** Increases with every change of the definition; the clock row holds it too, with its tag. */
  readonly revision: number
  /** Tells apart two changes that got the same revision because the first was lost in a failover or a restore. */
  readonly revisionTag: string
  readonly apiName: string
  readonly schema: string
  readonly tables: ObjectTypeTables
  readonly key: { readonly property: string; readonly scalar: ScalarType }
  /** Whether any property is an array or a struct, so that `others` may hold something. */
  readonly hasOthers: boolean
}

interface ObjectTypeTables {
  readonly current: string
  readonly history: string
  readonly changes: string
  readonly counts: string
  readonly clock: string
  readonly commits: string
  readonly staged: string
}

const tablesOf = (schema: string, id: number): ObjectTypeTables => ({
  current: `${schema}.t${id}_current`,
  history: `${schema}.t${id}_history`,
  changes: `${schema}.t${id}_changes`,
  counts: `${schema}.t${id}_counts`,
  clock: `${schema}.clock`,
  commits: `${schema}.commits`,
  staged: `${schema}.staged`,
})

const isScalar = (property: PropertyDefinition): boolean => typeof property.type === 'string'

export function objectTypeOf(
  place: Pick<ObjectType, 'schema' | 'id' | 'revision' | 'revisionTag'>,
  stored: StoredObjectType,
): ObjectType {
  const { definition } = stored
  const key = definition.properties[definition.primaryKey]
  invariant(key !== undefined && typeof key.type === 'string', 'stored-type-without-scalar-key')
  return {
    ...place,
    ...stored,
    apiName: definition.apiName,
    tables: tablesOf(place.schema, place.id),
    key: { property: definition.primaryKey, scalar: key.type },
    hasOthers: Object.values(definition.properties).some((property) => !isScalar(property)),
  }
}

/** Whether columns are still to be filled or indexes to be built. */
export const isUnfinished = ({ columns, indexes }: ObjectType): boolean =>
  columns.some(({ filled }) => !filled) || indexes.some(({ ready }) => !ready)

export const columnOf = (type: ObjectType, property: string, component?: string): Column | undefined =>
  findColumn(type, 'value', property, component)

export const termsColumnOf = (type: ObjectType, property: string, component?: string): Column | undefined =>
  findColumn(type, 'terms', property, component)

/** The column that the title is read from, unless the title is the key. */
export const titleColumnOf = (type: ObjectType): Column | undefined => {
  const column = columnOf(type, type.definition.titleProperty)
  return column?.filled ? column : undefined
}

const findColumn = (type: ObjectType, role: Column['role'], property: string, component?: string) =>
  type.columns.find(
    (column) => column.role === role && column.property === property && column.component === component,
  )
