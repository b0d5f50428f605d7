import { expect, it } from 'vitest'
import { lookAfter } from './look-after.ts'

const seconds = 1_000

function doneFor(times: { heardAt?: number; checkedAt?: number; stuckSince?: number }, now: number) {
  const done: string[] = []
  lookAfter(
    {
      heardAt: () => times.heardAt ?? now,
      checkedAt: () => times.checkedAt ?? now,
      stuckSince: () => times.stuckSince,
      ping: () => done.push('ping'),
      check: () => done.push('check'),
      terminate: () => done.push('terminate'),
    },
    now,
  )
  return done
}

it.for([
  ['a client that was just heard', {}, 0, []],
  ['a client that is silent for a minute', { heardAt: 0 }, 61, ['ping']],
  ['a client that is silent for two minutes', { heardAt: 0 }, 121, ['terminate']],
  ['a client that takes nothing for a while', { stuckSince: 0 }, 60, []],
  ['a client that takes nothing for two minutes', { stuckSince: 0 }, 121, ['terminate']],
  ['credentials that were not checked for a minute', { checkedAt: 0 }, 61, ['check']],
] as const)('P364, P367: %s', ([, times, after, wanted]) => {
  expect(doneFor(times, after * seconds)).toEqual(wanted)
})
