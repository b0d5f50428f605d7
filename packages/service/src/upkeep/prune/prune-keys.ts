import type { Ontology } from '../../catalog/ontology.ts'
import type { Database } from '../../postgres/database.ts'
import { secondsAgo } from './seconds-ago.ts'

const rowsAtOnce = 2_000

/**
 * Deletes idempotency keys that were used longer ago than the given time. Their commits, which hold the receipts, must be kept
 * for longer.
 */
export async function pruneKeys(
  database: Database,
  { schema }: Pick<Ontology, 'schema'>,
  keptSeconds: number,
): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await database.holding(schema).rows({
      text: `with expired as (
  select key from ${schema}.idempotency_keys where used_at <= ${secondsAgo('$1')}
  order by used_at limit ${rowsAtOnce} for update skip locked
), gone as (
  delete from ${schema}.idempotency_keys i using expired e where i.key = e.key returning 1
)
select count(*) as deleted from gone`,
      values: [keptSeconds],
    })
    const some = Number(rows[0]?.['deleted'])
    deleted += some
    if (some < rowsAtOnce) return deleted
  }
}
