import { runner } from 'node-pg-migrate'
import { appliedMigrations, migrationsFolder } from './migrations.ts'

const silent = () => {}

/** Applies what is missing, all or nothing, and gives the names of what it applied. Runs at the same time wait for each other. */
export const migrate = async (databaseUrl: string): Promise<readonly string[]> => {
  const applied = await runner({
    databaseUrl,
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
}
