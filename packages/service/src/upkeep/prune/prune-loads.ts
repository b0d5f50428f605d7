// Removes loads that nobody sends parts for any more, with their tables, and forgets how old ones ended.
import type { Ontology } from '../../catalog/ontology.ts'
import type { Database, SchemaDatabase } from '../../postgres/database.ts'
import { hasState } from '../../postgres/sqlstate.ts'
import { loadTablePattern } from '../../write/bulk/load-table.ts'
import { removeLoad } from '../../write/bulk/loads.ts'
import { secondsAgo } from './seconds-ago.ts'

export interface LoadTimes {
  /** How long an unfinished load is kept after its last part. */
  readonly unfinishedSeconds: number
  /** How long the receipt of a finished one is kept. */
  readonly receiptSeconds: number
}

/** A load that is being finished is left alone, however long that takes. Returns how many tables it dropped. */
export async function pruneLoads(
  all: Database,
  { schema }: Pick<Ontology, 'schema'>,
  { unfinishedSeconds, receiptSeconds }: LoadTimes,
): Promise<number> {
  // On a cluster there are no loads (write/bulk/loads.ts).
  if (all.isCitus()) return 0
  const database = all.holding(schema)
  await database.rows({
    text: `with old as (delete from ${schema}.loads where ended_at <= ${secondsAgo('$1')} returning load)
delete from ${schema}.load_parts p using old where p.load = old.load`,
    values: [receiptSeconds],
  })
  const abandoned = await database.rows({
    text: `select load from ${schema}.loads l where receipt is null and begun_at <= ${secondsAgo('$1')}
  and not exists (select from ${schema}.load_parts p where p.load = l.load and p.received_at > ${secondsAgo('$1')})`,
    values: [unfinishedSeconds],
  })
  let dropped = 0
  for (const { load } of abandoned) {
    if (load !== null && load !== undefined && (await removeUnlessBusy(database, schema, load))) dropped += 1
  }
  return dropped + (await dropUnknown(database, schema))
}

/**
 * A table of no unfinished load. One that becomes history may be made by a server process whose client is gone, after the load was
 * finished by another; all others are written together with the row of the load, so only a repair by hand leaves one.
 */
async function dropUnknown(database: SchemaDatabase, schema: string): Promise<number> {
  const unknown = await database.rows({
    text: `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind = 'r' and c.relname ~ $2
  and not exists (select from ${schema}.loads l where l.receipt is null and starts_with(c.relname, 'load_' || l.load))`,
    values: [schema, loadTablePattern],
  })
  for (const { relname } of unknown) {
    await database.transaction((transaction) => transaction.run(`drop table if exists ${schema}.${relname}`))
  }
  return unknown.length
}

async function removeUnlessBusy(database: SchemaDatabase, schema: string, load: string): Promise<boolean> {
  try {
    return await database.transaction((transaction) => removeLoad(transaction, schema, load))
  } catch (error) {
    // A server process still writes to the table for somebody who is gone: the next round finds it free.
    if (hasState(error, 'lockNotAvailable')) return false
    throw error
  }
}
