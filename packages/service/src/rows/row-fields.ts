// Reading the one row that a page statement answers with.
import { StaleDefinition } from '../catalog/stale-definition.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Position } from '../plan/page-plan.ts'
import { pageColumns, type PageColumn } from '../sql/compile-page-query.ts'
import type { BytesRow } from '../postgres/message-reader.ts'
import type { PageRows } from './page-rows.ts'

export interface RowFields {
  readonly clock: PageRows['clock']
  readonly found: number
  readonly written: number
  /** Otherwise more may follow what was found, although it is less than a page. */
  readonly whole: boolean
  readonly largest: number
  readonly firstHead: Buffer
  readonly body: Buffer
  /** What stands between the columns that every page statement has and the body. */
  readonly rest: BytesRow
  readonly source: BytesRow
}

/** Nothing is used of a row that was read under another definition than the one its statement was made for. */
export function readFields(type: ObjectType, row: BytesRow | undefined): RowFields {
  // The type's row is gone from the clock: so is what the catalog says about it.
  if (row === undefined) throw new StaleDefinition(type)
  const field = (column: PageColumn) => row[pageColumns.indexOf(column)]
  const text = (column: PageColumn) => field(column)?.toString() ?? null
  const count = (column: PageColumn) => Number(text(column))
  if (count('revision') !== type.revision) throw new StaleDefinition(type)
  return {
    clock: {
      version: text('version') ?? '',
      floor: text('floor') ?? '',
      live: text('live') ?? '',
      tag: text('tag'),
      snapshotLive: text('snapshotLive'),
    },
    found: count('found'),
    written: count('written'),
    whole: text('whole') === 'true',
    largest: count('largest'),
    firstHead: row.at(-2) ?? empty,
    body: row.at(-1) ?? empty,
    rest: row.slice(pageColumns.length, -2),
    source: row,
  }
}

const empty = Buffer.alloc(0)

export const positionOf = (fields: BytesRow): Position => fields.map((value) => value?.toString() ?? null)
