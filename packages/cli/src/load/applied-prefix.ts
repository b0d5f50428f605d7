// Batches are applied in any order. The saved state advances only over batches with no gap before them.
import type { Batch } from './batch.ts'
import { writeLoadState, type LoadState } from './load-state.ts'
import type { RejectedFiles } from './rejected-files.ts'
import type { SentBatch } from './send-batch.ts'

export interface AppliedPrefix {
  readonly state: () => LoadState
  /** Records applied so far, including those after a gap. */
  readonly applied: () => number
  /** Resolves once the state is saved as far as it can advance. */
  readonly add: (batch: Batch, sent: SentBatch) => Promise<void>
}

interface PrefixOptions {
  readonly start: LoadState
  readonly rejected: RejectedFiles
  /** Undefined if no state is saved: standard input cannot be read again. */
  readonly statePath: string | undefined
  readonly elapsedMs: () => number
}

export function appliedPrefix({ start, rejected, statePath, elapsedMs }: PrefixOptions): AppliedPrefix {
  const waiting = new Map<number, { readonly batch: Batch; readonly sent: SentBatch }>()
  let state = start
  let applied = start.counts.records
  let writing = Promise.resolve()

  const advance = async (): Promise<void> => {
    let moved = false
    for (let next = waiting.get(state.byte); next !== undefined; next = waiting.get(state.byte)) {
      waiting.delete(state.byte)
      // First the records, then the state that counts them: a crash between the two repeats neither.
      await rejected.append(next.sent.rejections)
      state = withBatch(state, next.batch, next.sent)
      moved = true
    }
    if (!moved) return
    state = { ...state, ...rejected.bytes(), milliseconds: start.milliseconds + elapsedMs() }
    if (statePath !== undefined) await writeLoadState(statePath, state)
  }

  return {
    state: () => state,
    applied: () => applied,
    add: (batch, sent) => {
      waiting.set(batch.from.byte, { batch, sent })
      applied += batch.records
      writing = writing.then(advance)
      return writing
    },
  }
}

function withBatch(state: LoadState, { to, records, rejections }: Batch, sent: SentBatch): LoadState {
  const { counts } = state
  const { receipt } = sent
  const rejected = new Set(sent.rejections.map(({ line }) => line)).size
  return {
    ...state,
    byte: to.byte,
    line: to.line,
    counts: {
      records: counts.records + records + new Set(rejections.map(({ line }) => line)).size - rejected,
      created: counts.created + (receipt?.created ?? 0),
      updated: counts.updated + (receipt?.updated ?? 0),
      unchanged: counts.unchanged + (receipt?.unchanged ?? 0),
      rejected: counts.rejected + rejected,
    },
    version: later(state.version, receipt?.version),
  }
}

/** Versions are decimal strings of up to 19 digits. */
const later = (one: string, other: string | undefined): string =>
  other === undefined || (one !== '' && BigInt(one) >= BigInt(other)) ? one : other
