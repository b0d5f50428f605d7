import type { ObjectTypeDefinition, PropertyDefinition } from '@octavo/protocol'
import type { Column } from './column.ts'

type NewColumn = Omit<Column, 'name' | 'filled'>

/** The columns that a definition needs: for what is searched, ordered by, counted, or shown as the title. The key has its own column. */
export function neededColumns(definition: ObjectTypeDefinition): readonly NewColumn[] {
  const ordered = new Set(definition.orders?.flatMap((order) => order.fields.map(({ field }) => field)) ?? [])
  return Object.entries(definition.properties).flatMap(([name, property]) => {
    const values = valueColumns(name, property)
    const isRead =
      property.searchable ||
      property.sortable ||
      property.counted ||
      ordered.has(name) ||
      name === definition.titleProperty
    return [
      ...(isRead && name !== definition.primaryKey ? values : []),
      ...(property.searchable ? values.filter((column) => column.scalar === 'string').map(termsColumn) : []),
    ]
  })
}

/** Of every type, beside those that its definition needs. */
const hashColumn: NewColumn = { property: '', role: 'hash', scalar: 'long', many: false }

/** Holds the terms of all values of a property or component, one after the other. */
const termsColumn = (column: NewColumn): NewColumn => ({ ...column, role: 'terms', many: true })

function valueColumns(name: string, { type }: PropertyDefinition): readonly NewColumn[] {
  if (typeof type === 'string') return [{ property: name, role: 'value', scalar: type, many: false }]
  const many = 'array' in type
  const item = many ? type.array : type
  if (typeof item === 'string') return [{ property: name, role: 'value', scalar: item, many }]
  return Object.entries(item.struct).map(([component, { type: scalar }]) => ({
    property: name,
    component,
    role: 'value',
    scalar,
    many,
  }))
}

/**
 * A value that is stored out of line (TOAST) leaves 18 bytes in its row, and a row has room for 8,160: this many columns fit
 * whatever they hold.
 */
export const mostColumns = 400

/** Keeps all existing columns (a column is never renamed or reused) and adds the missing ones. */
export function layoutColumns(
  definition: ObjectTypeDefinition,
  before?: { readonly definition: ObjectTypeDefinition; readonly columns: readonly Column[] },
): readonly Column[] {
  const columns = [...(before?.columns ?? [])]
  for (const needed of [...neededColumns(definition), hashColumn]) {
    if (columns.some((column) => sameSource(column, needed))) continue
    // Older objects have no values of a new property, so there is nothing to fill.
    const isNew = !Object.hasOwn(before?.definition.properties ?? {}, needed.property)
    const filled = before === undefined || isNew
    columns.push({ name: `p${columns.length + 1}`, ...needed, filled })
  }
  return columns
}

const sameSource = (a: NewColumn, b: NewColumn) =>
  a.role === b.role && a.property === b.property && a.component === b.component
