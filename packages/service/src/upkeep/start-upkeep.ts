import type { ServeOptions } from '../config/options.ts'
import type { Observe } from '../observe/observation.ts'
import { finishRegularly } from '../write/define/finish-regularly.ts'
import type { PreparingSources } from '../write/define/finish-object-type.ts'
import { pruneRegularly, type PruneSources } from './prune/prune-regularly.ts'

/** Idempotency keys are kept so long, but not as long as the commits, which hold the receipts. */
const keysKeptDays = 6

const everySeconds = 30

/** Prunes and finishes interrupted definitions at regular intervals; returns the function that stops it. */
export function startUpkeep(
  store: PruneSources & PreparingSources,
  options: ServeOptions,
  observe: Observe,
): () => Promise<void> {
  const stopPruning = pruneRegularly(
    store,
    {
      everySeconds,
      retentionSeconds: options.snapshotRetentionSeconds,
      settleSeconds: options.statementTimeoutSeconds + 5,
      commitsKeptSeconds: options.changesRetentionDays * 86_400,
      keysKeptSeconds: Math.min(keysKeptDays, options.changesRetentionDays - 1) * 86_400,
      // The time-out applies to the batches of every instance, and the clocks that measure it differ a little.
      stagedKeptSeconds: options.batchTimeoutSeconds + 60,
    },
    observe,
  )
  const stopFinishing = finishRegularly(store, everySeconds, observe)
  return async () => {
    stopFinishing()
    await stopPruning()
  }
}
