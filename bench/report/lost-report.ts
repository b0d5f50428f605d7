import type { LostTally } from '../lost/lost-tally.ts'
import type { Machine } from '../measure/machine.ts'

/** Everything that one full run of prove:lost counted. */
export interface LostReport {
  readonly date: Date
  readonly machine: Machine
  readonly objects: number
  readonly pageSize: number
  readonly tallies: readonly LostTally[]
}
