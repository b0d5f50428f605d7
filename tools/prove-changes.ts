// `npm run prove:changes`: what is told as changed since a state makes a copy of it equal to a later one, and costs no more than the
// changes. `--minutes` is how long copies are followed through faults. The short form has the same points with fewer repetitions.
import { proveChangesCost } from './prove-changes/cost.ts'
import { proveDifferences } from './prove-changes/differences.ts'
import { proveFollowsThroughFaults } from './prove-changes/follows-through-faults.ts'
import { proveHiddenChanges } from './prove-changes/hidden-changes.ts'
import { proveContinuedWalks } from './prove-changes/continued-walks.ts'
import { proveSyncsRounds } from './prove-changes/syncs-rounds.ts'
import { proveWaiting } from './prove-changes/waiting.ts'
import { prove } from './prove.ts'

await prove(
  'changes',
  async (proof) => {
    await proveDifferences(proof)
    await proveHiddenChanges(proof)
    await proveContinuedWalks(proof)
    await proveChangesCost(proof)
    await proveWaiting(proof)
    await proveSyncsRounds(proof)
    await proveFollowsThroughFaults(proof)
  },
  { minutes: { type: 'string', default: '60' }, seed: { type: 'string' } },
)
