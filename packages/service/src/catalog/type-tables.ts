// The statements for the tables of one object type. Every name in them is a number from the catalog.
import { createChanges } from './changes.ts'
import { createCounts } from './counts.ts'
import { columnType, type Column } from './column.ts'
import { startOf, termsVector, type IndexDeclaration } from './index-declaration.ts'
import type { ObjectType } from './object-type.ts'

export const tableSides = ['current', 'history'] as const
export type TableSide = (typeof tableSides)[number]

export function createTypeTables(type: ObjectType): readonly string[] {
  const shared = [
    `pk ${columnType(type.key.scalar)} not null`,
    'version_from bigint not null',
    'scalars text not null',
    'others text',
    ...type.columns.map(columnDefinition),
  ]
  return [
    `create table ${type.tables.current} (${[...shared, 'primary key (pk)'].join(', ')})`,
    `create table ${type.tables.history} (${[
      ...shared,
      'version_to bigint not null',
      'epoch bigint not null',
      'primary key (epoch, pk, version_from)',
    ].join(', ')})`,
    // Pruning uses it to find expired rows.
    `create index t${type.id}_history_version_to on ${type.tables.history} (version_to)`,
    ...type.indexes.flatMap((index) =>
      tableSides.map((side) => createIndex(type, index, side, { concurrently: false })),
    ),
    ...createChanges(type),
    ...createCounts(type),
  ]
}

export const addColumns = (type: ObjectType, columns: readonly Column[]): readonly string[] =>
  tableSides.map(
    (side) =>
      `alter table ${type.tables[side]} ${columns.map((column) => `add column ${columnDefinition(column)}`).join(', ')}`,
  )

const columnDefinition = (column: Column) => `${column.name} ${columnType(column.scalar, column.many)}`

export const indexName = (type: ObjectType, index: IndexDeclaration, side: TableSide): string =>
  `t${type.id}_${side}_i${index.number}`

/** Of all indexes that the definition needs, on both sides. */
export const indexNames = (type: ObjectType): readonly string[] =>
  type.indexes.flatMap((index) => tableSides.map((side) => indexName(type, index, side)))

/** The indexes whose order pages use: each epoch is its own range. */
const beginsWithEpoch = ({ kind, number }: IndexDeclaration, side: TableSide): boolean =>
  side === 'history' && number > 0 && (kind === 'order' || kind === 'start')

/**
 * New entries are collected in a list of at most this many kilobytes and inserted together, which writes half as much. Every search
 * reads the list: eight blocks at most, less than a tenth of a millisecond (decision 12).
 */
const pendingEntries = 'fastupdate = on, gin_pending_list_limit = 64'

export function createIndex(
  type: ObjectType,
  index: IndexDeclaration,
  side: TableSide,
  { concurrently }: { readonly concurrently: boolean },
): string {
  return `create index ${concurrently ? 'concurrently ' : ''}${indexName(type, index, side)} on ${type.tables[side]} ${indexed(index, side)}`
}

/** What an index is on: the end of the statement that creates it. */
export function indexed(index: IndexDeclaration, side: TableSide): string {
  const [only] = index.keys
  if (index.kind === 'members') return `using gin (${only?.column}) with (${pendingEntries})`
  if (index.kind === 'terms') {
    return `using gin (${termsVector(only?.column ?? '')}) with (${pendingEntries})`
  }
  const keys = index.keys.map(({ column, direction }) =>
    index.kind === 'start'
      ? startOf(column)
      : // Nulls last in both directions, as in pages.
        `${column} ${direction} nulls last`,
  )
  const last = index.keys.at(-1)
  // The tie-breaker has the direction of the last key, so that the two can be compared as one row value.
  if (last?.column !== 'pk') keys.push(`pk ${last?.direction ?? 'asc'} nulls last`)
  if (beginsWithEpoch(index, side)) keys.unshift('epoch')
  return `(${keys.join(', ')})`
}

export const dropIndex = (type: ObjectType, index: IndexDeclaration, side: TableSide): string =>
  `drop index concurrently if exists ${type.schema}.${indexName(type, index, side)}`

/** The columns that identify a row, in the order of the index on them. */
export const rowKey = (side: TableSide): readonly string[] =>
  side === 'history' ? ['epoch', 'pk', 'version_from'] : ['pk', 'version_from']
