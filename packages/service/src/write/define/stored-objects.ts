// Reads all rows of a type in portions: in bounded memory, with short statements.
import type { ObjectType } from '../../catalog/object-type.ts'
import { castType } from '../../catalog/column.ts'
import type { Reader, Row } from '../../postgres/database.ts'
import { Parameters } from '../../base/sql-query.ts'
import { rowKey, type TableSide } from '../../catalog/type-tables.ts'

export const rowsAtOnce = 2_000
/** An object may have 16 MiB; the first one of a portion is always read. */
const bytesAtOnce = 16 * 1024 * 1024

export interface Portion {
  readonly type: ObjectType
  readonly side: TableSide
  /** The last row of the previous portion. */
  readonly after: Row | undefined
  /** Reads only what was committed after this version, in the order of versions, which needs an index. */
  readonly newerThan?: string
}

export function readPortion(
  reader: Reader,
  { type, side, after, newerThan }: Portion,
): Promise<readonly Row[]> {
  const parameters = new Parameters()
  const key = rowKey(side)
  const order = newerThan === undefined ? key : ['version_from', 'pk']
  const casts: Record<string, string> = {
    pk: castType(type.key.scalar),
    version_from: 'bigint',
    epoch: 'bigint',
  }
  const value = (name: string, text: string | null | undefined) =>
    parameters.add(text ?? null, casts[name] ?? '')
  const conditions = [
    ...(newerThan === undefined ? [] : [`version_from > ${value('version_from', newerThan)}`]),
    ...(after === undefined
      ? []
      : [`(${order.join(', ')}) > (${order.map((name) => value(name, after[name])).join(', ')})`]),
  ]
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const inOrder = `order by ${order.join(', ')}`
  const bytes = 'octet_length(scalars) + coalesce(octet_length(others), 0)'
  // The index of current is on pk alone. It has this order too, because current has one row for each pk.
  return reader.rows({
    text: `select ${key.map((name) => (name === 'pk' ? 'pk::text' : name)).join(', ')}, scalars, others from (
  select stored.*, sum(${bytes}) over (${inOrder} rows unbounded preceding) - (${bytes}) as bytes_before
  from (select ${key.join(', ')}, scalars, others from ${type.tables[side]} ${where} ${inOrder} limit ${rowsAtOnce}) stored
) portion where bytes_before < ${bytesAtOnce} ${inOrder}`,
    values: parameters.values,
  })
}
