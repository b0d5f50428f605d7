// Prunes all types at regular intervals, on every instance: the first to come does the work.
import { eachInTurn } from '../../base/each-in-turn.ts'
import type { Observe } from '../../observe/observation.ts'
import type { PruneStore } from './prune-store.ts'

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

/** A lead that people are told of. */
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
  store: PruneStore,
  { everySeconds, ...schedule }: PruneSchedule,
  observe: Observe,
): () => Promise<void> {
  let stopped = false
  let running: Promise<void> = Promise.resolve()

  const round = async (): Promise<void> => {
    let historyRows = 0
    let commits = 0
    let mostLead = 0
    const pruning = eachInTurn(await store.catalog.ontologies(), async (ontology) => {
      if (stopped) return
      const lead = await store.clockLead(ontology)
      mostLead = Math.max(mostLead, lead)
      const { keysKeptSeconds, stagedKeptSeconds, ...times } = longer(schedule, lead)
      await store.pruneStaged(ontology, stagedKeptSeconds)
      await store.pruneLoads(ontology, {
        unfinishedSeconds: stagedKeptSeconds,
        receiptSeconds: keysKeptSeconds,
      })
      await store.pruneKeys(ontology, keysKeptSeconds)
      for (const type of await store.catalog.objectTypes(ontology)) {
        if (stopped) return
        const pruned = await store.prune(type, times)
        historyRows += pruned.historyRows
        commits += pruned.commits
      }
    })
    await pruning.finally(() => {
      if (mostLead > noticedSeconds) observe({ kind: 'database-clock-ahead', seconds: Math.round(mostLead) })
      if (historyRows + commits > 0) observe({ kind: 'history-pruned', historyRows, commits })
    })
  }

  const timer = setInterval(() => {
    // Rounds never overlap: each one waits for the one before it.
    const before = running
    running = before.then(round).catch((error: unknown) => observe({ kind: 'pruning-failed', error }))
  }, everySeconds * 1_000)
  timer.unref()

  return async () => {
    stopped = true
    clearInterval(timer)
    await running
  }
}
