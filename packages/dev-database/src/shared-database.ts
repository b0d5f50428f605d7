// Citus belongs to one database and its workers know only that one, so a copy would not work: tests share it.
import { escapeIdentifier } from 'pg'
import { withClient } from './with-client.ts'

export async function isSharedDatabase(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'")
    return rowCount === 1
  })
}

/** Removes what the service created, and nothing else that the database may contain. */
export async function emptySharedDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ nspname: string }>(
      "SELECT nspname FROM pg_namespace WHERE nspname = 'octavo' OR starts_with(nspname, 'octavo_')",
    )
    for (const { nspname } of rows) await client.query(`DROP SCHEMA ${escapeIdentifier(nspname)} CASCADE`)
  })
}
