import type { Catalog } from '../../catalog/open-catalog.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Database } from '../../postgres/database.ts'
import { auditPace, auditTrail, type AuditSources } from './audit-trail.ts'
import { pruneAuditRegularly } from './prune-audit.ts'

export interface Audit {
  /** Passes every observation to the log, and those that the audit records to the table. */
  readonly observe: Observe
  readonly stop: () => Promise<void>
}

const secondsBetweenPrunings = 600

/** Without a retention nothing is written to the table; the log has it all the same. */
export function openAudit(
  sources: AuditSources & Pick<Catalog, 'ontologies'> & { readonly database: Database },
  retentionDays: number,
): Audit {
  const { database, ontologies, now, observe } = sources
  if (retentionDays === 0) return { observe, stop: async () => {} }
  const trail = auditTrail(sources, auditPace)
  const stopPruning = pruneAuditRegularly({
    database,
    ontologies,
    keptDays: retentionDays,
    everySeconds: secondsBetweenPrunings,
    now,
    observe,
  })
  return {
    observe: (observation) => {
      observe(observation)
      trail.record(observation)
    },
    stop: async () => {
      await stopPruning()
      await trail.stop()
    },
  }
}
