// Fills new columns from the JSON text of objects that were stored before the columns existed. The values come from the code that
// makes those of new objects (fit-object.ts), so the two cannot differ.
import type { Row, SchemaDatabase, Transaction } from '../../postgres/database.ts'
import { Parameters } from '../../base/sql-query.ts'
import { doesNotFit, fitObject } from './fit-object.ts'
import { castType, type Column } from '../../catalog/column.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { readPortion, type Portion } from './stored-objects.ts'
import { rowKey, type TableSide } from '../../catalog/type-tables.ts'

/**
 * Current is filled first: a row that moves to history afterwards takes its filled columns along. Writers fill the column
 * themselves from the moment the definition has changed, because a commit under the old definition is refused.
 */
export async function fillColumns(
  database: SchemaDatabase,
  type: ObjectType,
  columns: readonly Column[],
): Promise<void> {
  for (const side of ['current', 'history'] as const) {
    let after: Row | undefined
    do {
      after = await fillPortion(database, { type, columns, side, after })
    } while (after !== undefined)
  }
}

interface PortionToFill extends Portion {
  readonly columns: readonly Column[]
}

/** Returns the last row that was filled, or nothing when none was left. */
async function fillPortion(database: SchemaDatabase, portion: PortionToFill): Promise<Row | undefined> {
  const { type } = portion
  return database.transaction(async (transaction) => {
    // Locks the clock, as writers do, so that this and a writer cannot deadlock.
    await transaction.rows({
      text: `select 1 from ${type.tables.clock} where object_type = $1 for update`,
      values: [type.id],
    })
    const rows = await readPortion(transaction, portion)
    if (rows.length > 0) await writePortion(transaction, portion, rows)
    return rows.at(-1)
  })
}

async function writePortion(
  transaction: Transaction,
  { type, columns, side }: PortionToFill,
  rows: readonly Row[],
): Promise<void> {
  const parameters = new Parameters()
  const values = rows.map((row) => columnValues(type, row, side))
  const key = rowKey(side)
  const arrays = [
    ...key.map((name) =>
      parameters.add(
        rows.map((row) => row[name] ?? null),
        name === 'pk' ? castType(type.key.scalar, true) : 'bigint[]',
      ),
    ),
    ...columns.map((column) =>
      parameters.add(
        values.map((row) => row[type.columns.indexOf(column)] ?? null),
        'text[]',
      ),
    ),
  ]
  const names = columns.map((column) => column.name)
  const cast = columns.map(
    (column) => `${column.name}::${castType(column.scalar, column.many)} as ${column.name}`,
  )
  // Cast in a separate query: Citus refuses an update that casts text to a time.
  await transaction.rows({
    text: `with filled as materialized (
  select ${[...key, ...cast].join(', ')}
  from unnest(${arrays.join(', ')}) as given(${[...key, ...names].join(', ')})
)
update ${type.tables[side]} t set ${names.map((name) => `${name} = filled.${name}`).join(', ')} from filled
where ${key.map((name) => `t.${name} = filled.${name}`).join(' and ')}`,
    values: parameters.values,
  })
}

function columnValues(type: ObjectType, row: Row, side: TableSide): readonly (string | null)[] {
  const object = fitObject(type, row, side)
  // The stored objects were checked before the definition was applied, so this should never happen.
  if ('problem' in object) throw doesNotFit(type, [object])
  return object.columns
}
