import { runner } from 'node-pg-migrate'
import { Client } from 'pg'
import { serverUrls } from '../config/server-urls.ts'
import { appliedMigrations, migrationsFolder } from './migrations.ts'
import { finishCitus, prepareCitus } from './prepare-citus.ts'
import { asksForServer, requirePrimary } from './require-primary.ts'

const silent = () => {}

/** The lock number that the library uses, so that other users of the library wait too. */
const lockNumber = '7241865325823964'

/** Applies the missing migrations, all or none, and returns their names. Concurrent runs wait for each other. */
export const migrate = async (databaseUrl: string): Promise<readonly string[]> => {
  const client = await connectToPrimary(databaseUrl)
  try {
    // The lock belongs to a transaction and not, like the library's, to a session: behind a pooler in transaction mode, the
    // unlock would run in another session, and the next run would wait for ever.
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
    const isCitus = await prepareCitus(client)
    const applied = await runner({
      dbClient: client,
      dir: migrationsFolder,
      ignorePattern: '(?!.*[.]sql$).*',
      direction: 'up',
      schema: appliedMigrations.schema,
      createSchema: true,
      migrationsTable: appliedMigrations.table,
      singleTransaction: true,
      noLock: true,
      log: silent,
    })
    if (isCitus) await finishCitus(client)
    await client.query('commit')
    return applied.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

async function connectToPrimary(databaseUrl: string): Promise<Client> {
  const failures: unknown[] = []
  for (const connectionString of serverUrls(databaseUrl)) {
    const client = new Client({ connectionString, application_name: 'octavo migrate' })
    // If the connection is lost, the statement that needs it fails. Without a listener, the event would end the process.
    client.on('error', silent)
    try {
      await client.connect()
      requirePrimary(await client.query(asksForServer))
      return client
    } catch (error) {
      failures.push(error)
      await client.end()
    }
  }
  throw failures.at(-1)
}
