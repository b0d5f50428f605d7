import type { HotWalk } from '../flat/prove-hot-objects.ts'
import type { FlatPoint } from '../flat/measure-page.ts'
import type { ManyPoint } from '../flat/prove-many.ts'
import type { Footprint } from '../footprint/prove-footprint.ts'
import type { Latency } from '../latency/prove-latency.ts'
import type { Machine } from '../../harness/machine.ts'
import type { Rate } from '../rates/measure-rates.ts'
import type { SpeedOptions } from '../options.ts'

/** Everything that one full run measured. */
export interface SpeedReport {
  readonly options: SpeedOptions
  readonly date: Date
  readonly machine: Machine
  readonly rates: readonly Rate[]
  readonly latencies: readonly Latency[]
  readonly flat: {
    readonly depth: readonly FlatPoint[]
    readonly size: readonly FlatPoint[]
    readonly churn: readonly FlatPoint[]
    readonly reloads: readonly FlatPoint[]
  }
  readonly hot: readonly HotWalk[]
  readonly many: {
    readonly types: readonly ManyPoint[]
    readonly ontologies: readonly ManyPoint[]
  }
  readonly footprint: Footprint | undefined
}
