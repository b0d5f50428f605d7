import { logObservations } from '../observe/log-observations.ts'
import { createPool } from '../postgres/create-pool.ts'
import { openDatabase } from '../postgres/database.ts'
import type { Command } from './access-commands.ts'

/** Opens the database for one command, and closes it again. */
export async function runAccessCommand(command: Command, databaseUrl: string): Promise<string> {
  const pool = createPool(
    { databaseUrl, databasePoolSize: 1, statementTimeoutSeconds: 30 },
    logObservations('silent'),
  )
  const database = openDatabase(pool)
  try {
    return await command.run({ database, now: () => new Date() })
  } finally {
    await database.close()
  }
}
