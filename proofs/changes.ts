// The changes since a state make a copy of it equal to a later one, and cost no more than what has changed. `--minutes` is how
// long copies are followed through faults. The short form has the same points with fewer repetitions.
import { proveContinuedWalks } from './changes/continued-walks.ts'
import { proveChangesCost } from './changes/cost.ts'
import { proveDifferences } from './changes/differences.ts'
import { proveFollowsThroughFaults } from './changes/follows-through-faults.ts'
import { proveHiddenChanges } from './changes/hidden-changes.ts'
import { proveSyncsRounds } from './changes/syncs-rounds.ts'
import { proveWaiting } from './changes/waiting.ts'
import type { Points } from './harness/prove.ts'

export const points: Points = {
  differences: proveDifferences,
  hidden: proveHiddenChanges,
  'continued-walks': proveContinuedWalks,
  cost: proveChangesCost,
  waiting: proveWaiting,
  sync: proveSyncsRounds,
  faults: proveFollowsThroughFaults,
}

export const options = { minutes: { type: 'string', default: '60' }, seed: { type: 'string' } } as const
