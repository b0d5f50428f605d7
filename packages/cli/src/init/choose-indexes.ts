// What can be searched and sorted by. Every index costs disk, and time on every write, so there is a limit, and what people
// filter and sort by most comes first.
import type { GuessedColumn } from './guessed-column.ts'
import { looksLikeKey } from './key-names.ts'

export interface ChosenIndex {
  readonly searchable: boolean
  readonly sortable: boolean
  /** Why not, or why only in part. */
  readonly note?: string
}

/** The most properties that get indexes. */
const mostIndexed = 16

// Far below what the service takes, because later values may be longer.
const mostSortableBytes = 250
const mostSearchableBytes = 64 * 1024
const mostElementBytes = 500
const mostSearchedComponents = 4

export interface IndexQuestion {
  readonly columns: readonly GuessedColumn[]
  readonly key: GuessedColumn
  readonly title: GuessedColumn
  readonly rows: number
}

export function chooseIndexes({
  columns,
  key,
  title,
  rows,
}: IndexQuestion): ReadonlyMap<GuessedColumn, ChosenIndex> {
  const chosen = new Map<GuessedColumn, ChosenIndex>()
  const wishes: { readonly column: GuessedColumn; readonly rank: number; readonly index: ChosenIndex }[] = []
  for (const column of columns) {
    if (column === key) continue
    const index = indexOf(column, rows)
    if (index.searchable) wishes.push({ column, index, rank: column === title ? 0 : rankOf(column, rows) })
    else chosen.set(column, index)
  }
  for (const [position, { column, index }] of wishes.toSorted((a, b) => a.rank - b.rank).entries()) {
    const none = { searchable: false, sortable: false, note: `not searchable: ${mostIndexed} others are` }
    chosen.set(column, position < mostIndexed ? index : none)
  }
  return chosen
}

const no = (note: string): ChosenIndex => ({ searchable: false, sortable: false, note })

function indexOf({ type, facts }: GuessedColumn, rows: number): ChosenIndex {
  const { mostBytes } = facts.item.scalars
  if (facts.values === 0) return no('')
  if (typeof type !== 'string') return indexOfStructure(type, facts)
  if (rows > 1 && facts.distinct.distinct() === 1 && facts.values === rows)
    return no('every row has the same value')
  if (type !== 'string') return { searchable: true, sortable: type !== 'boolean' }
  if (mostBytes > mostSearchableBytes) return no('not searchable: the texts are long')
  return mostBytes > mostSortableBytes
    ? { searchable: true, sortable: false, note: 'not sortable: long texts' }
    : { searchable: true, sortable: true }
}

function indexOfStructure(
  type: Exclude<GuessedColumn['type'], string>,
  { elements, item, arrays }: GuessedColumn['facts'],
): ChosenIndex {
  const inside = 'array' in type ? type.array : type
  const parts = typeof inside === 'string' ? 1 : Object.keys(inside.struct).length
  if (parts > mostSearchedComponents) return no('not searchable: many components')
  const of = arrays > 0 ? elements : item
  const mostBytes = Math.max(
    of.scalars.mostBytes,
    ...[...of.components.values()].map((each) => each.mostBytes),
  )
  return mostBytes > mostElementBytes && arrays > 0
    ? no('not searchable: the texts are long')
    : { searchable: true, sortable: false }
}

/** The smaller, the more useful is an index. */
function rankOf({ type, facts }: GuessedColumn, rows: number): number {
  if (type === 'date' || type === 'timestamp') return 1
  if (looksLikeKey(facts.column)) return 2
  const isCategory = facts.distinct.isExact() && facts.distinct.distinct() <= Math.max(20, rows / 20)
  if (type === 'string') return isCategory ? 3 : facts.item.scalars.mostBytes <= mostSortableBytes ? 6 : 8
  if (type === 'boolean') return 4
  return typeof type === 'string' ? 5 : 7
}
