// `npm run prove:rolling`: instances behind a load balancer are stopped and started in turn, and no client notices. The
// short form is one round.
import { proveRollingRestart } from './prove-rolling/rolling-restart.ts'
import { prove } from './prove.ts'

await prove('rolling', (proof) => proveRollingRestart(proof))
