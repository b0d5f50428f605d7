// How far the loads of a sync are, shown as `octavo export` shows it.
import type { Output } from '../output/output.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress, type Progress } from '../progress/progress.ts'
import type { LoadPart } from './copy-state.ts'
import type { SyncWatch } from './sync-types.ts'

/** Nothing is shown until something is loaded. */
export function loadProgress(output: Output): { readonly watch: SyncWatch; readonly stop: () => void } {
  const parts = new Map<string, LoadPart>()
  const totals = new Map<string, number | undefined>()
  let before = { objects: 0, fraction: 0 }
  let startedAt = 0
  let progress: Progress | undefined
  const objects = (): number => [...parts.values()].reduce((sum, part) => sum + Number(part.objects), 0)
  const fraction = (): number | undefined => {
    let total = 0
    for (const each of totals.values()) {
      if (each === undefined) return undefined
      total += each
    }
    return objects() / Math.max(1, total)
  }
  const take = (part: LoadPart): void => void parts.set(`${part.type.apiName} ${part.part}`, part)
  return {
    watch: {
      onLoad: (begun) => {
        for (const part of begun.parts) take(part)
        const [first] = begun.parts
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
        for (const key of parts.keys()) if (key.startsWith(`${objectType} `)) parts.delete(key)
        progress?.say(
          `The state of ${objectType} that an earlier run had begun to read is gone: it is read again.`,
        )
      },
    },
    stop: () => progress?.stop(),
  }
}
