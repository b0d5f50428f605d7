import { amountText, countText, durationText } from '../output/numbers.ts'
import type { LoadState } from './load-state.ts'

/** The sum over all files of one command, including earlier runs. */
export interface LoadSum {
  readonly objects: number
  readonly put: number
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
  const put = sum(({ counts }) => counts.put)
  const unchanged = sum(({ counts }) => counts.unchanged)
  return {
    objects: put + unchanged,
    put,
    unchanged,
    repeated: sum(({ counts }) => counts.records) - put - unchanged,
    rejected: sum(({ counts }) => counts.rejected),
    version: states.findLast(({ version }) => version !== '')?.version,
    milliseconds: sum(({ milliseconds }) => milliseconds),
  }
}

/**
 * For example `Loaded 5,000,000 objects of aircraft in 4 min 12 s: 4,999,000 put, 1,000 unchanged, 0 rejected; version 613.`
 */
export function loadSummary(objectType: string, sum: LoadSum): string {
  const { objects, put, unchanged, repeated, rejected, version } = sum
  const counts = [
    `${countText(put)} put`,
    `${countText(unchanged)} unchanged`,
    ...(repeated === 0 ? [] : [`${countText(repeated)} repeated`]),
    `${countText(rejected)} rejected`,
  ].join(', ')
  const at = version === undefined ? 'no version was made' : `version ${version}`
  return `Loaded ${amountText(objects, 'object')} of ${objectType} in ${durationText(sum.milliseconds)}: ${counts}; ${at}.\n`
}
