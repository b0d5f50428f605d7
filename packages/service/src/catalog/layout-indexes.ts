import type { ObjectTypeDefinition } from '@octavo/protocol'
import { invariant } from '../base/errors/invariant.ts'
import type { Column } from './column.ts'
import { sameKeys, type IndexDeclaration } from './index-declaration.ts'

type NewIndex = Omit<IndexDeclaration, 'number' | 'ready'>

function neededIndexes(definition: ObjectTypeDefinition, columns: readonly Column[]): readonly NewIndex[] {
  const needed: NewIndex[] = []
  for (const column of columns) {
    const kind = indexKind(definition, column)
    if (kind !== undefined) needed.push({ kind, keys: [{ column: column.name, direction: 'asc' }] })
  }
  for (const order of definition.orders ?? []) {
    const keys = order.fields.map(({ field, direction }) => {
      if (field === definition.primaryKey) return { column: 'pk', direction }
      const column = columns.find(({ role, property }) => role === 'value' && property === field)
      invariant(column !== undefined, 'declared-order-without-column')
      return { column: column.name, direction }
    })
    needed.push({ kind: 'order', keys })
  }
  return needed
}

function indexKind(definition: ObjectTypeDefinition, column: Column): IndexDeclaration['kind'] | undefined {
  const property = definition.properties[column.property]
  if (property?.sortable && column.role === 'value') return 'order'
  if (!property?.searchable) return undefined
  if (column.role === 'terms') return 'terms'
  if (column.many) return 'members'
  return column.scalar === 'string' ? 'start' : 'order'
}

/**
 * Keeps the indexes that are still needed, under their numbers, and adds the missing ones. An index that is to be replaced is
 * kept until its replacement is ready, so that searches keep working.
 */
export function layoutIndexes(
  definition: ObjectTypeDefinition,
  columns: readonly Column[],
  before: readonly IndexDeclaration[] = [],
): readonly IndexDeclaration[] {
  const greatest = before.reduce((most, index) => Math.max(most, index.number), 0)
  let added = 0
  const indexes = neededIndexes(definition, columns).map((needed) => {
    const kept = before.find((index) => index.kind === needed.kind && sameKeys(index.keys, needed.keys))
    if (kept !== undefined) return kept
    added += 1
    return { ...needed, number: greatest + added, ready: false }
  })
  const replaced = before.filter(
    (index) =>
      index.ready &&
      !indexes.includes(index) &&
      indexes.some(({ ready, keys }) => !ready && sameKeys(keys, index.keys)),
  )
  return [...indexes, ...replaced]
}
