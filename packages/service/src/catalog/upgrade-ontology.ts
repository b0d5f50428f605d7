// Upgrades the schemas of ontologies to the newest layout: all of them when the database is migrated, and one that an instance
// of the previous release has created since then, when it is first seen. Each has its own short transaction, because one over ten
// thousand ontologies would need more locks than PostgreSQL has.
import type { Database } from '../postgres/database.ts'
import { layoutSteps, newestLayout, type LayoutSteps } from './ontology-tables.ts'

interface OldOntology {
  readonly rid: string
  readonly schema: string
  readonly layout: number
}

/** Returns how many were not at the newest layout. */
export async function upgradeOntologies(
  database: Database,
  steps: LayoutSteps = layoutSteps,
): Promise<number> {
  const rows = await database.rows({
    text: 'select rid, schema_name, layout from octavo.ontologies where layout < $1 order by rid',
    values: [newestLayout(steps)],
  })
  for (const row of rows) {
    await upgradeOntology(database, steps, {
      rid: row['rid'] ?? '',
      schema: row['schema_name'] ?? '',
      layout: Number(row['layout']),
    })
  }
  return rows.length
}

/** Any number of processes may do it at once: the later ones find it done. */
async function upgradeOntology(
  database: Database,
  steps: LayoutSteps,
  { rid, schema, layout }: OldOntology,
): Promise<void> {
  const missing = Object.entries(steps).filter(([step]) => Number(step) > layout)
  await database.transaction(async (transaction) => {
    // Readers and writers queue behind a transaction that waits for a table lock, so it must not wait long.
    await transaction.run("set local lock_timeout = '3s'")
    await transaction.rows({
      text: 'select 1 from octavo.ontologies where rid = $1 for update',
      values: [rid],
    })
    for (const [, statements] of missing) {
      for (const statement of statements(schema)) await transaction.run(statement)
    }
  })
  // Afterwards: on Citus, the registry and the schema are on different nodes, which commit one after the other.
  await database.rows({
    text: 'update octavo.ontologies set layout = $2 where rid = $1 and layout < $2',
    values: [rid, newestLayout(steps)],
  })
}
