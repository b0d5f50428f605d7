// Counts a total: on the clock without a filter, otherwise exactly up to a bound, and never for longer than a short time limit.
import { limits } from '@octavo/protocol'
import type { PagePlan, Position } from '../../plan/page-plan.ts'
import { compileCountQuery, needsCheck } from '../../sql/compile-scan-query.ts'
import { askClock, clockOf } from '../state/page-clock.ts'
import type { RowSources } from '../state/row-sources.ts'
import { stateReader } from '../state/state-reader.ts'

export interface Total {
  readonly count: number
  /** There may be more: counting stopped at the bound, or at the time limit. */
  readonly isBound: boolean
}

const mostMilliseconds = 1_000

export async function countMatches(
  sources: RowSources,
  plan: PagePlan,
  signal?: AbortSignal,
): Promise<Total> {
  if (plan.access === undefined) {
    const { live, snapshotLive } = await askClock(sources, plan, signal)
    return { count: Number(snapshotLive ?? live), isBound: false }
  }
  const { database, elapsed, stretchLengths } = sources
  const bound = limits.walk.countedMatches
  const endsAt = elapsed() + mostMilliseconds
  const checks = needsCheck(plan)
  const stretch = Math.max(...stretchLengths.usual)
  let count = 0
  let position: Position | undefined
  const state = stateReader(sources, plan, signal)
  for (;;) {
    const query = compileCountQuery(
      { ...plan, at: await state.next(), position },
      { atMost: bound + 1 - count, stretch },
    )
    const [first, matched, scanned, ...end] =
      (await database.holding(plan.type.schema).bytes(query, signal)) ?? []
    const clock = clockOf(plan.type, first)
    if (!state.proves(clock)) continue
    count += Number(matched?.toString())
    if (count > bound) return { count: bound, isBound: true }
    if (!checks || Number(scanned?.toString()) < stretch) return { count, isBound: false }
    // No row to continue from: all these rows are of one object, which is not worth the time.
    if (elapsed() >= endsAt || end.at(-1) == null) return { count, isBound: true }
    position = end.map((value) => value?.toString() ?? null)
  }
}
