// Gives new columns their values from the JSON text of objects that were stored before the columns existed. The values
// are made by the same code that makes them for a new object, so that the two cannot differ.
import { canonicaliseObject } from '../commit/canonicalise-object.ts'
import { invariant } from '../errors/invariant.ts'
import type { Database, Row, Transaction } from '../postgres/database.ts'
import { Parameters } from '../sql/sql-query.ts'
import { castType, type Column } from './column.ts'
import type { ObjectType } from './object-type.ts'
import type { TableSide } from './type-tables.ts'

const rowsAtOnce = 2_000

/**
 * Current first: a row that moves to history afterwards takes its filled columns along. Writers fill the column
 * themselves from the moment the definition changed, because a commit under the old definition is refused.
 */
export async function fillColumns(
  database: Database,
  type: ObjectType,
  columns: readonly Column[],
): Promise<void> {
  for (const side of ['current', 'history'] as const) {
    let after: Row | undefined
    do {
      after = await fillSome(database, { type, columns, side, after })
    } while (after !== undefined)
  }
}

interface Some {
  readonly type: ObjectType
  readonly columns: readonly Column[]
  readonly side: TableSide
  readonly after: Row | undefined
}

/** The last row filled, or nothing when none was left. */
async function fillSome(database: Database, some: Some): Promise<Row | undefined> {
  const { type } = some
  return database.transaction(async (transaction) => {
    // In line with the writers, so that neither holds rows that the other waits for.
    await transaction.rows({
      text: `select 1 from ${type.tables.clock} where object_type = $1 for update`,
      values: [type.id],
    })
    const rows = await readSome(transaction, some)
    if (rows.length > 0) await writeSome(transaction, some, rows)
    return rows.at(-1)
  })
}

function readSome(transaction: Transaction, { type, side, after }: Some): Promise<readonly Row[]> {
  const parameters = new Parameters()
  const where =
    after === undefined
      ? ''
      : `where (pk, version_from) > (${parameters.add(after['pk'] ?? null, castType(type.key.scalar))}, ${parameters.add(after['version_from'] ?? null, 'bigint')})`
  // A key has one row in current, so the order by key alone is that of its index there, too.
  return transaction.rows({
    text: `select pk::text, version_from, scalars, others from ${type.tables[side]} ${where} order by pk, version_from limit ${rowsAtOnce}`,
    values: parameters.values,
  })
}

async function writeSome(
  transaction: Transaction,
  { type, columns, side }: Some,
  rows: readonly Row[],
): Promise<void> {
  const parameters = new Parameters()
  const values = rows.map((row) => columnValues(type, row))
  const arrays = [
    parameters.add(
      rows.map((row) => row['pk'] ?? null),
      castType(type.key.scalar, true),
    ),
    parameters.add(
      rows.map((row) => row['version_from'] ?? null),
      'bigint[]',
    ),
    ...columns.map((column) =>
      parameters.add(
        values.map((row) => row[type.columns.indexOf(column)] ?? null),
        'text[]',
      ),
    ),
  ]
  const names = columns.map((column) => column.name)
  const set = columns.map(
    (column) => `${column.name} = filled.${column.name}::${castType(column.scalar, column.many)}`,
  )
  await transaction.rows({
    text: `update ${type.tables[side]} t set ${set.join(', ')}
from unnest(${arrays.join(', ')}) as filled(${['pk', 'version_from', ...names].join(', ')})
where t.pk = filled.pk and t.version_from = filled.version_from`,
    values: parameters.values,
  })
}

function columnValues(type: ObjectType, row: Row): readonly (string | null)[] {
  const members = [row['scalars'], row['others']].filter((text) => text != null).join(',')
  const made = canonicaliseObject(type, JSON.parse(`{${members}}`) as Record<string, unknown>)
  invariant('object' in made, 'stored-object-does-not-fit-its-type')
  return made.object.columns
}
