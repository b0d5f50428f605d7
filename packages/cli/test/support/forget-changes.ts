import { Client } from 'pg'

/** As after the days for which changes are kept: the service knows the latest state of each type, and nothing of earlier ones. */
export async function forgetChanges(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ readonly schema: string }>(
      `select quote_ident(schemaname) as schema from pg_tables where tablename = 'commits' and schemaname like 'octavo%'`,
    )
    for (const { schema } of rows) {
      await client.query(`update ${schema}.clock set floor = version, changes_from = version`)
      await client.query(
        `delete from ${schema}.commits c using ${schema}.clock k where k.object_type = c.object_type and c.version < k.version`,
      )
    }
    if (rows.length === 0) throw new Error('there is no ontology')
  } finally {
    await client.end()
  }
}
