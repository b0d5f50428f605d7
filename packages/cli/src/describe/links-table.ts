import type { LinkType } from '@octavo/protocol'
import { formatTable, type TableLook } from '../output/format-table.ts'

/** The links of a type in both directions, and which side holds the keys. */
export function linksTable(links: Readonly<Record<string, LinkType>>, look: TableLook): string {
  const columns = ['LINK', 'LEADS TO', 'HOW MANY', 'HELD BY', 'BACK'].map((title) => ({ title }))
  const rows = Object.entries(links).map(([name, link]) => [
    name,
    link.objectType,
    link.cardinality === 'ONE' ? 'one' : 'many',
    link.foreignKeyProperty ?? link.objectType,
    link.reverse,
  ])
  return formatTable({ columns, rows }, look)
}
