import { eachInTurn } from '../../base/each-in-turn.ts'
import { regularly } from '../../base/regularly.ts'
import type { Catalog } from '../../catalog/open-catalog.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Database, Reader } from '../../postgres/database.ts'
import { columnTimeBefore } from '../../base/value/column-time.ts'

const rowsAtOnce = 5_000

/** Deletes what is older than the retention, in small transactions; instances that run at the same time share the work. */
export async function pruneAudit(
  database: Reader,
  schema: string,
  { now, keptDays }: { readonly now: Date; readonly keptDays: number },
): Promise<number> {
  const before = columnTimeBefore(now, keptDays * 86_400)
  let deleted = 0
  for (;;) {
    const rows = await database.rows({
      text: `with expired as (
  select at, id from ${schema}.audit where at < $1::timestamp order by at, id limit ${rowsAtOnce} for update skip locked
), gone as (
  delete from ${schema}.audit a using expired e where a.at = e.at and a.id = e.id returning 1
)
select count(*) as deleted from gone`,
      values: [before],
    })
    const some = Number(rows[0]?.['deleted'])
    deleted += some
    if (some < rowsAtOnce) return deleted
  }
}

export interface AuditPruning extends Pick<Catalog, 'ontologies'> {
  readonly database: Database
  readonly keptDays: number
  readonly everySeconds: number
  readonly now: () => Date
  readonly observe: Observe
}

/** Returns the function that stops it and waits for the deletion in progress. */
export function pruneAuditRegularly(pruning: AuditPruning): () => Promise<void> {
  const { database, ontologies, keptDays, everySeconds, now, observe } = pruning
  const round = async (): Promise<void> => {
    let records = 0
    const schemas = ['octavo', ...(await ontologies()).map((ontology) => ontology.schema)]
    const pruning = eachInTurn(schemas, async (schema) => {
      const holder = schema === 'octavo' ? database : database.holding(schema)
      records += await pruneAudit(holder, schema, { now: now(), keptDays })
    })
    await pruning.finally(() => {
      if (records > 0) observe({ kind: 'audit-pruned', records })
    })
  }
  return regularly(everySeconds, round, (error) => observe({ kind: 'pruning-failed', error }))
}
