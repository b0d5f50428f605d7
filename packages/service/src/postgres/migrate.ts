import { runner } from 'node-pg-migrate'
import { Client } from 'pg'
import { appliedMigrations, migrationsFolder } from './migrations.ts'

const silent = () => {}

/** Applies what is missing, all or nothing, and gives the names of what it applied. Runs at the same time wait for each other. */
export const migrate = async (databaseUrl: string): Promise<readonly string[]> => {
  const client = new Client({ connectionString: databaseUrl, application_name: 'octavo migrate' })
  // A connection that is lost fails the statement that needs it; unheard, the event would end the process.
  client.on('error', silent)
  await client.connect()
  try {
    const applied = await runner({
      dbClient: client,
      dir: migrationsFolder,
      ignorePattern: '(?!.*[.]sql$).*',
      direction: 'up',
      schema: appliedMigrations.schema,
      createSchema: true,
      migrationsTable: appliedMigrations.table,
      singleTransaction: true,
      advisoryLockMode: 'wait',
      log: silent,
    })
    return applied.map(({ name }) => name)
  } finally {
    await client.end()
  }
}
