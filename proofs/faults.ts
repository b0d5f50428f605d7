// Whatever is killed, cut, restarted or rotated, no acknowledged commit is lost and no walk is wrong. `--minutes` is the length of the
// long form, half of it on one PostgreSQL and half on a pair with failover; `--rounds` is the number of asynchronous failovers that lose
// changes.
import { losesNothingButTheLost } from './faults/lost-changes.ts'
import { survivesOnOne, survivesOnPair } from './faults/survives.ts'
import type { Points } from './harness/prove.ts'

export const points: Points = {
  one: survivesOnOne,
  'lost-changes': losesNothingButTheLost,
  pair: survivesOnPair,
}

export const options = {
  minutes: { type: 'string', default: '60' },
  rounds: { type: 'string', default: '200' },
  seed: { type: 'string' },
} as const
