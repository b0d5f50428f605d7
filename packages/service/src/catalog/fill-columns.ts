// Gives a new column its values from the JSON text of objects that were stored before it existed.
import type { Database } from '../postgres/database.ts'
import { Parameters } from '../sql/sql-query.ts'
import { castType, type Column } from './column.ts'
import { isScalar, type ObjectType } from './object-type.ts'
import type { TableSide } from './type-tables.ts'

const rowsAtOnce = 5_000

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
    let after: string | undefined
    do {
      after = await fillSome(database, { type, columns, side, after })
    } while (after !== undefined)
  }
}

interface Some {
  readonly type: ObjectType
  readonly columns: readonly Column[]
  readonly side: TableSide
  readonly after: string | undefined
}

/** The last key filled, or nothing when none was left. */
async function fillSome(
  database: Database,
  { type, columns, side, after }: Some,
): Promise<string | undefined> {
  const parameters = new Parameters()
  const key = castType(type.key.scalar)
  const where = after === undefined ? '' : `where pk > ${parameters.add(after, key)}`
  const set = columns.map((column) => `${column.name} = ${valueFromJson(type, column, parameters)}`)
  const fill = {
    text: `with portion as (select distinct pk from (select pk from ${type.tables[side]} ${where} order by pk limit ${rowsAtOnce}) as found),
filled as (update ${type.tables[side]} t set ${set.join(', ')} from portion where t.pk = portion.pk returning 1)
select max(pk)::text as last from portion`,
    values: parameters.values,
  }
  const rows = await database.transaction(async (transaction) => {
    // In line with the writers, so that neither holds rows that the other waits for.
    await transaction.rows({
      text: `select 1 from ${type.tables.clock} where object_type = $1 for update`,
      values: [type.id],
    })
    return transaction.rows(fill)
  })
  return rows[0]?.['last'] ?? undefined
}

function valueFromJson(type: ObjectType, column: Column, parameters: Parameters): string {
  const property = type.definition.properties[column.property]
  const members = property !== undefined && isScalar(property) ? 't.scalars' : 't.others'
  const json = `('{' || ${members} || '}')::json`
  const name = parameters.add(column.property, 'text')
  const component = column.component === undefined ? undefined : parameters.add(column.component, 'text')
  if (column.many) {
    const item = component === undefined ? `e #>> '{}'` : `e ->> ${component}`
    return `(select array_agg(${item} order by at) filter (where ${item} is not null) from json_array_elements(${json} -> ${name}) with ordinality as elements(e, at))::${castType(column.scalar, true)}`
  }
  const text = component === undefined ? `${json} ->> ${name}` : `${json} -> ${name} ->> ${component}`
  return `(${text})::${castType(column.scalar)}`
}
