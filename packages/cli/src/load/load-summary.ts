import { amountText, countText, durationText } from '../output/numbers.ts'
import type { LoadState } from './load-state.ts'

/** The sum over all files of one command, including earlier runs. */
export interface LoadSum {
  readonly objectCount: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Records whose object appears again later in the same batch. */
  readonly repeated: number
  readonly rejected: number
  readonly version: string | undefined
  readonly milliseconds: number
}

export function sumOf(states: readonly LoadState[]): LoadSum {
  const sum = (figure: (state: LoadState) => number) =>
    states.reduce((total, state) => total + figure(state), 0)
  const created = sum(({ counts }) => counts.created)
  const updated = sum(({ counts }) => counts.updated)
  const unchanged = sum(({ counts }) => counts.unchanged)
  return {
    objectCount: created + updated + unchanged,
    created,
    updated,
    unchanged,
    repeated: sum(({ counts }) => counts.records) - created - updated - unchanged,
    rejected: sum(({ counts }) => counts.rejected),
    version: states.findLast(({ version }) => version !== '')?.version,
    milliseconds: sum(({ milliseconds }) => milliseconds),
  }
}

/**
 * For example `Loaded 5,000,000 objects of aircraft in 4 min 12 s: 4,998,000 created, 1,000 updated, 1,000 unchanged, 0 rejected; version 613.`
 */
export function loadSummary(objectType: string, sum: LoadSum): string {
  const { objectCount, created, updated, unchanged, repeated, rejected, version } = sum
  const counts = [
    `${countText(created)} created`,
    `${countText(updated)} updated`,
    `${countText(unchanged)} unchanged`,
    ...(repeated === 0 ? [] : [`${countText(repeated)} repeated`]),
    `${countText(rejected)} rejected`,
  ].join(', ')
  const at = version === undefined ? 'no version was made' : `version ${version}`
  return `Loaded ${amountText(objectCount, 'object')} of ${objectType} in ${durationText(sum.milliseconds)}: ${counts}; ${at}.\n`
}
