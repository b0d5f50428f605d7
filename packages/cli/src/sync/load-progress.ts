// How far the loads of a sync are, shown as `octavo export` shows it.
import type { Output } from '../output/output.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress, type Progress } from '../progress/progress.ts'
import type { LoadPartition } from './copy-state.ts'
import type { SyncWatch } from './sync-types.ts'

/** Nothing is shown until something is loaded. */
export function loadProgress(output: Output): { readonly watch: SyncWatch; readonly stop: () => void } {
  const partitions = new Map<string, LoadPartition>()
  const totals = new Map<string, number | undefined>()
  let before = { objects: 0, fraction: 0 }
  let startedAt = 0
  let progress: Progress | undefined
  const objects = (): number =>
    [...partitions.values()].reduce((sum, partition) => sum + Number(partition.objects), 0)
  const fraction = (): number | undefined => {
    let total = 0
    for (const each of totals.values()) {
      if (each === undefined) return undefined
      total += each
    }
    return objects() / Math.max(1, total)
  }
  const take = (partition: LoadPartition): void =>
    void partitions.set(`${partition.type.apiName} ${partition.partition}`, partition)
  return {
    watch: {
      onLoad: (begun) => {
        for (const partition of begun.partitions) take(partition)
        const [first] = begun.partitions
        if (first !== undefined) {
          const { objects: total } = first.expected
          totals.set(first.type.apiName, total === undefined ? undefined : Number(total))
        }
        if (begun.isResumed) before = { objects: objects(), fraction: fraction() ?? 0 }
        if (progress !== undefined) return
        startedAt = performance.now()
        progress = showProgress(output, () =>
          describeProgress({
            objects: objects(),
            fraction: fraction(),
            elapsedMs: performance.now() - startedAt,
            before,
            rejected: 0,
          }),
        )
      },
      onPage: take,
      onStartAgain: (objectType) => {
        for (const key of partitions.keys()) if (key.startsWith(`${objectType} `)) partitions.delete(key)
        progress?.say(
          `The state of ${objectType} that an earlier run had begun to read is gone: it is read again.`,
        )
      },
    },
    stop: () => progress?.stop(),
  }
}
