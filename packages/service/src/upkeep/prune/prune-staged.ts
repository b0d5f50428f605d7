// Deletes what batches have left behind whose instance died, or whose client took too long.
import type { Ontology } from '../../catalog/ontology.ts'
import type { Database, SchemaDatabase } from '../../postgres/database.ts'
import { secondsAgo } from './seconds-ago.ts'

const rowsAtOnce = 2_000

/**
 * Deletes the name of the batch first, then its rows: without its name it can no longer be applied, so its rows can be deleted
 * in portions. A batch that is being applied has a lock on its name, and is left alone. Returns the number of rows.
 */
export async function pruneStaged(
  all: Database,
  { schema }: Pick<Ontology, 'schema'>,
  keptSeconds: number,
): Promise<number> {
  const database = all.holding(schema)
  await database.rows({
    text: `with expired as (
  select batch from ${schema}.staged_batches where begun_at <= ${secondsAgo('$1')} for update skip locked
)
delete from ${schema}.staged_batches b using expired e where b.batch = e.batch`,
    values: [keptSeconds],
  })
  let deleted = 0
  for (let batch = ''; ;) {
    const found = await database.rows({
      text: `select batch from ${schema}.staged where batch > $1 order by batch limit 1`,
      values: [batch],
    })
    const next = found[0]?.['batch']
    if (next === undefined || next === null) return deleted
    batch = next
    deleted += await pruneUnnamed(database, schema, batch)
  }
}

async function pruneUnnamed(database: SchemaDatabase, schema: string, batch: string): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await database.rows({
      text: `with piece as (
  select batch, ordinal from ${schema}.staged
  where batch = $1 and not exists (select from ${schema}.staged_batches b where b.batch = split_part($1, '.', 1))
  order by ordinal limit ${rowsAtOnce} for update skip locked
), gone as (
  delete from ${schema}.staged s using piece p where s.batch = p.batch and s.ordinal = p.ordinal returning 1
)
select count(*) as deleted from gone`,
      values: [batch],
    })
    const some = Number(rows[0]?.['deleted'])
    deleted += some
    if (some < rowsAtOnce) return deleted
  }
}
