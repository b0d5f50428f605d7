// Reads one state, with any number of statements. Each statement returns the clock of what it has read. The clock proves that the rows
// are those of the state, or shows what the statement should have read instead; then it is sent again. So nothing that is returned
// depends on what this process believed.
import type { PagePlan, PointInTime } from '../../plan/page-plan.ts'
import { capturedBy } from '../../token/captured-by.ts'
import { rememberClock, withEpochs, withMissedEpochs } from './history-epochs.ts'
import type { PageClock } from './page-clock.ts'
import { requireReadable } from './require-readable.ts'
import type { RowSources } from './row-sources.ts'

export interface StateReader {
  /** What the next statement has to read. */
  readonly next: () => Promise<PointInTime>
  /** Whether what came with this clock is of the state. If not, nothing of it may be used, and the statement is sent again. */
  readonly proves: (clock: PageClock) => boolean
}

/** The state of a plan. One that is to be captured is fixed by the first statement. */
export function stateReader(
  sources: RowSources,
  { type, at: wanted, linked }: Pick<PagePlan, 'type' | 'at' | 'linked'>,
  signal?: AbortSignal,
): StateReader {
  let at = wanted
  // While nothing has been committed after a version, the table of current objects has exactly its rows.
  let isNewest = at.kind !== 'snapshot' || sources.seen.get(type.tables.current)?.version === at.version
  /** The version with the epochs of history, once history is read. */
  let withHistory: PointInTime | undefined
  return {
    next: async () => {
      if (at.kind !== 'snapshot') return at
      if (isNewest) return { kind: 'capture' }
      withHistory ??= (await withEpochs(sources, { type, at }, signal)).at
      return withHistory
    },
    proves: (clock) => {
      rememberClock(sources, { type, at: withHistory ?? { kind: 'capture' } }, clock)
      if (isNewest && at.kind === 'snapshot' && clock.version !== at.version) {
        isNewest = false
        return false
      }
      requireReadable(clock, { type, at, linked })
      const corrected = withHistory && withMissedEpochs({ type, at: withHistory }, clock)
      if (corrected !== undefined) {
        withHistory = corrected.at
        return false
      }
      if (at.kind === 'capture') at = capturedBy(clock)
      return true
    },
  }
}

/** Sends a statement until its answer is proven. */
export async function proven<Answer extends { readonly clock: PageClock }>(
  state: StateReader,
  ask: (at: PointInTime) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask(await state.next())
    if (state.proves(answer.clock)) return answer
  }
}
