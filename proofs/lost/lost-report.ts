import type { LostTally } from './lost-tally.ts'
import type { Machine } from '../harness/machine.ts'

/** Everything that one full run of the proof counted. */
export interface LostReport {
  readonly date: Date
  readonly machine: Machine
  readonly objects: number
  readonly pageSize: number
  readonly tallies: readonly LostTally[]
}
