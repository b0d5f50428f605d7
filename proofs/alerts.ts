// Every alert of deploy/prometheus fires when its condition is caused on a real service that a real Prometheus scrapes, and none fires
// while all is well.
import { proveFires, proveNoneFires, withWatched } from './alerts/watched.ts'
import { within, type Points } from './harness/prove.ts'

export const points: Points = within(withWatched, {
  calm: proveNoneFires,
  callers: proveFires('callers'),
  cluster: proveFires('cluster'),
  database: proveFires('database'),
  killed: proveFires('killed'),
})
