import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Observation } from '../../observe/observation.ts'
import { failedTries } from './failed-tries.ts'
import { slowedGuesses } from './slowed-guesses.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('P389: after some failures in a minute the same network waits, others do not, and too many are refused', async () => {
  const observations: Observation[] = []
  const guesses = slowedGuesses({
    tries: failedTries({ perMinute: 2, mostAddresses: 10, elapsed: () => 0 }),
    observe: (observation) => observations.push(observation),
    pauseMilliseconds: 60,
    mostWaiting: 1,
  })
  for (let failures = 0; failures < 3; failures += 1) {
    await guesses.beforeTry(failures < 2 ? 'a' : 'b')
    guesses.hasFailed('a')
  }
  expect(observations).toEqual([{ kind: 'guessing-slowed', address: 'a', seconds: 60 }])
  let isOver = false
  const waiting = guesses.beforeTry('a').finally(() => {
    isOver = true
  })
  await guesses.beforeTry('b')
  expect(isOver).toBe(false)
  await expect(guesses.beforeTry('a')).rejects.toMatchObject({ errorName: 'RateLimited' })
  await vi.advanceTimersByTimeAsync(60)
  await waiting
  expect(isOver).toBe(true)
})
