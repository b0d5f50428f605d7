// Costs that must not grow with depth, size and changes.
import type { SpeedReport } from '../report/speed-report.ts'
import type { SpeedRun } from '../run.ts'
import { proveChurn } from './prove-churn.ts'
import { proveDepth } from './prove-depth.ts'
import { proveReloads } from './prove-reloads.ts'
import { proveSize } from './prove-size.ts'

export async function proveFlat(run: SpeedRun): Promise<SpeedReport['flat']> {
  const depth = run.proof.short ? [] : await proveDepth(run)
  const size = await proveSize(run, run.data.whole)
  const churn = await proveChurn(run)
  return { depth, size, churn, reloads: await proveReloads(run) }
}
