// The composition root: the only file that knows everything that is assembled.

import { serviceAdmission } from './guard/admit/service-admission.ts'
import { openAudit } from './upkeep/audit/open-audit.ts'
import { openGuard } from './guard/open-guard.ts'
import { openAccess } from './guard/auth/access.ts'
import { randomHex, randomUuid } from './guard/auth/random.ts'
import { upgradeOntologies } from './catalog/upgrade-ontology.ts'
import type { ServeOptions } from './config/options.ts'
import { readinessOf } from './http/health/check-readiness.ts'
import { openExplorer } from './http/explorer/explorer-files.ts'
import { createHttpServer } from './http/create-http-server.ts'
import { listenerSettings } from './http/listener-settings.ts'
import { serviceRoutes } from './http/routes/service-routes.ts'
import { stopTaking } from './http/stop-taking.ts'
import type { OpenWing } from './http/wing.ts'
import type { Observe } from './observe/observation.ts'
import { buildTelemetry } from './build-telemetry.ts'
import { accessSource } from './manage/access-source.ts'
import type { ManageService } from './manage/manage-service.ts'
import { missingMigrations } from './postgres/migrations.ts'
import { startUpkeep } from './upkeep/start-upkeep.ts'
import { openStore } from './open-store.ts'
import { createPool } from './postgres/create-pool.ts'
import { openDatabase } from './postgres/database.ts'
import { explainDatabaseFailure } from './postgres/explain-failure.ts'
import { migrate } from './postgres/migrate.ts'
import type { PageService } from './read/walk/page-service.ts'
import { watchCertificate } from './guard/tls/certificate-files.ts'
import { newestStates } from './read/rows/state/read-versions.ts'
import { clockWatch } from './read/wait/clock-watch.ts'
import { sourceWatch } from './read/wait/source-watch.ts'
import { readSources } from './catalog/source-positions.ts'
import { tokenSealer } from './read/token/token-sealer.ts'
import type { LinkToMain } from './workers/link-to-main.ts'
import * as allWings from './wings.ts'

export type Service = {
  /** Returns the address, such as http://127.0.0.1:8080. */
  readonly listen: () => Promise<string>
  /** Reports from now on that the service is not ready, and still accepts requests: a load balancer needs a while to notice. */
  readonly announceStop: () => void
  /** Accepts no further requests and finishes those in progress. */
  readonly close: () => Promise<void>
}

export const buildService = (options: ServeOptions, log: Observe, link?: LinkToMain): Service => {
  let stopping = false
  const telemetry = buildTelemetry(options, { log, randomHex, shareMetrics: link?.shareMetrics })
  const { observe } = telemetry
  const store = openStore(
    options,
    { now: () => new Date(), elapsed: () => performance.now(), randomHex, randomUuid },
    observe,
  )
  const clocks = { now: () => new Date(), elapsed: () => performance.now() }
  const access = openAccess({ source: accessSource(store.database), ...clocks })
  store.database.onNewTimeline(access.forget)
  const audit = openAudit(
    {
      database: store.database,
      ontologies: store.catalog.ontologies,
      now: clocks.now,
      newId: () => randomHex(16),
      observe,
    },
    options.auditRetentionDays,
  )
  const admission = serviceAdmission(options, { elapsed: clocks.elapsed, random: Math.random })
  const pages: PageService = {
    access,
    store,
    sealer: tokenSealer(options.pageTokenKeys, options.pageTokenLifetimeSeconds),
    admission: admission.pages,
    streams: admission.streams,
    watch: clockWatch({
      newestStates: (schema, ids) => newestStates(store, schema, ids),
      accessVersion: access.version,
    }),
    sources: sourceWatch((schema, names) => readSources(store.database.holding(schema), schema, names)),
    requestTimeoutMs: options.requestTimeoutSeconds * 1_000,
    retentionSeconds: options.snapshotRetentionSeconds,
    aggregateObjects: options.aggregateObjects,
    now: () => new Date(),
    newWalkId: () => randomHex(16),
    observe: audit.observe,
  }
  const manage: ManageService = {
    access,
    store,
    database: store.database,
    sealer: pages.sealer,
    admission: admission.batches,
    audits: options.auditRetentionDays > 0,
    batchTime: { maximumSeconds: options.batchTimeoutSeconds, elapsed: clocks.elapsed },
    ...clocks,
    newWalkId: pages.newWalkId,
    retentionSeconds: pages.retentionSeconds,
    randomUuid,
    observe: audit.observe,
  }
  const checkReadiness = readinessOf({
    isStopping: () => stopping,
    missingMigrations: () => missingMigrations(store.database.within(2_000)),
    observe,
  })
  const wings = Object.values<OpenWing>(allWings).map((open) => open(options, { pages, observe, ...clocks }))
  const listener = listenerSettings(options)
  const app = createHttpServer({
    corsOrigins: options.corsOrigins,
    authenticate: openGuard(options, { access, ...clocks }),
    listener,
    admission: admission.pages,
    routes: serviceRoutes({
      pages,
      manage,
      checkReadiness,
      wings,
    }),
    checkReadiness,
    explorer: openExplorer(options, observe),
    isStopping: () => stopping,
    observe,
    explainFailure: explainDatabaseFailure,
  })

  const stopServing = stopTaking(app)

  const stopUpkeep = startUpkeep(store, options, observe)
  const stopWatching =
    listener.certificate &&
    watchCertificate({
      files: { certificateFile: options.tlsCertificateFile, keyFile: options.tlsKeyFile },
      loaded: listener.certificate,
      server: app.server,
      observe,
      everyMilliseconds: 2_000,
    })

  return {
    listen: async () => {
      await telemetry.listen({
        store,
        admission: admission.pages,
        watch: pages.watch,
        wings,
        checkReadiness,
      })
      const address = await app.listen({ host: options.host, port: options.port })
      observe({ kind: 'service-listening', address })
      return address
    },
    announceStop: () => {
      stopping = true
    },
    close: async () => {
      stopping = true
      await stopServing()
      stopWatching?.()
      admission.stop()
      await stopUpkeep()
      await audit.stop()
      await store.database.close()
      await telemetry.close()
      observe({ kind: 'service-stopped' })
    },
  }
}

export const migrateDatabase = async (databaseUrl: string, observe: Observe): Promise<void> => {
  const applied = await migrate(databaseUrl)
  for (const name of applied) observe({ kind: 'migration-applied', name })
  const pool = createPool(
    { databaseUrl, databasePoolSize: 1, statementTimeoutSeconds: 30, databasePooling: 'transaction' },
    observe,
  )
  const database = openDatabase(pool)
  try {
    const ontologies = await upgradeOntologies(database)
    observe({ kind: 'database-migrated', applied: applied.length, ontologies })
  } finally {
    await database.close()
  }
}
