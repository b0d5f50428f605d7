import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Observation } from '../../observe/observation.ts'
import { slowedGuesses } from './slowed-guesses.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A guard that lets two failures of a network pass, and one try wait. */
function guard(mostNetworks = 10) {
  const observations: Observation[] = []
  let seconds = 0
  const guesses = slowedGuesses({
    perMinute: 2,
    mostNetworks,
    pauseMilliseconds: 60,
    mostWaiting: 1,
    elapsed: () => seconds * 1_000,
    observe: (observation) => observations.push(observation),
  })
  return {
    ...guesses,
    observations,
    fail: (network: string, times: number) => {
      for (let failures = 0; failures < times; failures += 1) guesses.hasFailed(network)
    },
    pass: (more: number) => {
      seconds += more
    },
    isSlowed: async (network: string) => {
      let isOver = false
      const trying = guesses.beforeTry(network).finally(() => {
        isOver = true
      })
      await vi.advanceTimersByTimeAsync(0)
      const slowed = !isOver
      await vi.advanceTimersByTimeAsync(60)
      await trying
      return slowed
    },
  }
}

it('P389: after some failures in a minute the same network waits, others do not, and too many are refused', async () => {
  const { beforeTry, fail, observations } = guard()
  fail('a', 3)
  expect(observations).toEqual([{ kind: 'guessing-slowed', address: 'a', seconds: 60 }])
  let isOver = false
  const waiting = beforeTry('a').finally(() => {
    isOver = true
  })
  await beforeTry('b')
  expect(isOver).toBe(false)
  await expect(beforeTry('a')).rejects.toMatchObject({ errorName: 'RateLimited' })
  await vi.advanceTimersByTimeAsync(60)
  await waiting
  expect(isOver).toBe(true)
})

it('a network is slowed after its failures of a minute, until the minute is over', async () => {
  const { fail, pass, isSlowed, observations } = guard()
  fail('a', 1)
  expect(await isSlowed('a')).toBe(false)
  fail('a', 1)
  expect([await isSlowed('a'), await isSlowed('b')]).toEqual([true, false])
  pass(20)
  fail('a', 2)
  // Only the first failure above the limit is reported.
  expect(observations).toEqual([{ kind: 'guessing-slowed', address: 'a', seconds: 40 }])
  pass(40)
  expect(await isSlowed('a')).toBe(false)
  fail('a', 1)
  expect(await isSlowed('a')).toBe(false)
})

it('keeps so many networks and no more', async () => {
  const { fail, isSlowed } = guard(2)
  for (const network of ['a', 'b', 'c']) fail(network, 2)
  expect([await isSlowed('a'), await isSlowed('c')]).toEqual([false, true])
})
