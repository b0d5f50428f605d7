import type { Proof } from '../harness/prove.ts'
import type { SpeedData } from './data/prepare-data.ts'
import type { SpeedOptions } from './options.ts'

/** What every part of the proof gets. */
export interface SpeedRun {
  readonly proof: Proof
  readonly data: SpeedData
  readonly options: SpeedOptions
}
