import type { LinkType } from '@octavo/protocol'
import { formatTable, type TableLook } from '../output/format-table.ts'

/** The links of a type in both directions, and which side holds the keys. */
export function linksTable(links: readonly LinkType[], look: TableLook): string {
  const columns = ['LINK', 'LEADS TO', 'HOW MANY', 'HELD BY', 'BACK'].map((title) => ({ title }))
  const rows = links.map(({ apiName, objectType, cardinality, foreignKeyProperty, reverse }) => [
    apiName,
    objectType,
    cardinality === 'ONE' ? 'one' : 'many',
    foreignKeyProperty ?? objectType,
    reverse,
  ])
  return formatTable({ columns, rows }, look)
}
