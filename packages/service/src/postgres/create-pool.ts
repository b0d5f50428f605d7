import { Pool } from 'pg'
import { BytesClient } from './bytes-client.ts'
import { sessionSettings } from './session-settings.ts'
import type { ServeOptions } from '../config/options.ts'
import type { Observe } from '../observe/observation.ts'

export type { Pool }

export type PoolOptions = Pick<ServeOptions, 'databaseUrl' | 'databasePoolSize' | 'statementTimeoutSeconds'>

export const createPool = (options: PoolOptions, observe: Observe): Pool => {
  const pool = new Pool({
    connectionString: options.databaseUrl,
    application_name: 'octavo',
    Client: BytesClient,
    // The pool waits for it, although its type says nothing of a promise.
    // oxlint-disable-next-line no-misused-promises
    onConnect: async (client) => {
      await client.query(sessionSettings)
    },
    // A commit is several statements; sent together they hold the clock row for one round trip less each.
    pipeline: true,
    max: options.databasePoolSize,
    statement_timeout: options.statementTimeoutSeconds * 1_000,
    // Without it a request waits for ever when the database does not answer.
    connectionTimeoutMillis: 5_000,
  })
  // An idle connection that breaks is replaced at the next use; unheard, the event would end the process.
  pool.on('error', (error) => observe({ kind: 'database-connection-lost', error }))
  return pool
}
