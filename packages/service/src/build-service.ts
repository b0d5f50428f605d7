// The composition root: the only place that knows all the parts.

import type { ServeOptions } from './config/options.ts'
import { readinessOf } from './health/check-readiness.ts'
import { healthRoutes } from './health/health-routes.ts'
import { createHttpServer } from './http/create-http-server.ts'
import type { Observe } from './observe/observation.ts'
import { missingMigrations } from './postgres/check-migrated.ts'
import { createPool } from './postgres/create-pool.ts'
import { migrate } from './postgres/migrate.ts'

export type Service = {
  /** Gives the address, such as http://127.0.0.1:8080. */
  readonly listen: () => Promise<string>
  /** Stops being ready, then finishes what is in progress. */
  readonly close: () => Promise<void>
}

export const buildService = (options: ServeOptions, observe: Observe): Service => {
  let stopping = false
  const pool = createPool(options, observe)
  const checkReadiness = readinessOf({
    isStopping: () => stopping,
    missingMigrations: () => missingMigrations(pool),
    observe,
  })
  const app = createHttpServer({
    corsOrigins: options.corsOrigins,
    routes: [healthRoutes(checkReadiness)],
    observe,
  })

  return {
    listen: async () => {
      const address = await app.listen({ host: options.host, port: options.port })
      observe({ kind: 'service-listening', address })
      return address
    },
    close: async () => {
      stopping = true
      await app.close()
      await pool.end()
      observe({ kind: 'service-stopped' })
    },
  }
}

export const migrateDatabase = async (databaseUrl: string, observe: Observe): Promise<void> => {
  const applied = await migrate(databaseUrl)
  for (const name of applied) observe({ kind: 'migration-applied', name })
  observe({ kind: 'database-migrated', applied: applied.length })
}
