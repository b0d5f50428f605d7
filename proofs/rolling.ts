// Instances behind a load balancer are stopped and started in turn, and no client notices. The short form is one round.
import type { Points } from './harness/prove.ts'
import { proveRollingRestart } from './rolling/rolling-restart.ts'

export const points: Points = { restart: proveRollingRestart }
