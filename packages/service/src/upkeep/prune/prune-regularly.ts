// Prunes all types at regular intervals, on every instance: the first to come does the work.
import { eachInTurn } from '../../base/each-in-turn.ts'
import { regularly } from '../../base/regularly.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Catalog } from '../../catalog/open-catalog.ts'
import type { Database } from '../../postgres/database.ts'
import { clockLead, type OwnClocks } from './clock-lead.ts'
import { pruneKeys } from './prune-keys.ts'
import { pruneLoads } from './prune-loads.ts'
import { pruneStaged } from './prune-staged.ts'
import { prune } from './prune.ts'

export interface PruneSources extends OwnClocks {
  readonly database: Database
  readonly catalog: Catalog
}

export interface PruneSchedule {
  readonly everySeconds: number
  readonly retentionSeconds: number
  readonly settleSeconds: number
  readonly commitsKeptSeconds: number
  /** Shorter than for commits, which hold the receipts. */
  readonly keysKeptSeconds: number
  /** Longer than any batch may take. */
  readonly stagedKeptSeconds: number
}

/** A lead that is worth a warning. */
const noticedSeconds = 30

type PruneAges = Omit<PruneSchedule, 'everySeconds'>

const longer = (ages: PruneAges, seconds: number): PruneAges => ({
  retentionSeconds: ages.retentionSeconds + seconds,
  settleSeconds: ages.settleSeconds + seconds,
  commitsKeptSeconds: ages.commitsKeptSeconds + seconds,
  keysKeptSeconds: ages.keysKeptSeconds + seconds,
  stagedKeptSeconds: ages.stagedKeptSeconds + seconds,
})

/** Returns the function that stops it; the pruning in progress is finished first. */
export function pruneRegularly(
  store: PruneSources,
  { everySeconds, ...schedule }: PruneSchedule,
  observe: Observe,
): () => Promise<void> {
  const { database, catalog } = store
  const leadOf = clockLead((ontology) => database.holding(ontology.schema), store)
  let stopped = false

  const round = async (): Promise<void> => {
    let historyRows = 0
    let commits = 0
    let mostLead = 0
    const pruning = eachInTurn(await catalog.ontologies(), async (ontology) => {
      if (stopped) return
      const lead = await leadOf(ontology)
      mostLead = Math.max(mostLead, lead)
      const { keysKeptSeconds, stagedKeptSeconds, ...times } = longer(schedule, lead)
      await pruneStaged(database, ontology, stagedKeptSeconds)
      await pruneLoads(database, ontology, {
        unfinishedSeconds: stagedKeptSeconds,
        receiptSeconds: keysKeptSeconds,
      })
      await pruneKeys(database, ontology, keysKeptSeconds)
      for (const type of await catalog.objectTypes(ontology)) {
        if (stopped) return
        const pruned = await prune(database, type, times)
        historyRows += pruned.historyRows
        commits += pruned.commits
      }
    })
    await pruning.finally(() => {
      if (mostLead > noticedSeconds) observe({ kind: 'database-clock-ahead', seconds: Math.round(mostLead) })
      if (historyRows + commits > 0) observe({ kind: 'history-pruned', historyRows, commits })
    })
  }

  const stop = regularly(everySeconds, round, (error) => observe({ kind: 'pruning-failed', error }))
  return () => {
    stopped = true
    return stop()
  }
}
