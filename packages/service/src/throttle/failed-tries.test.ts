import { expect, it } from 'vitest'
import { ServiceError } from '../errors/service-error.ts'
import type { Observation } from '../observe/observation.ts'
import { failedTries } from './failed-tries.ts'
import { slowFailures } from './slow-failures.ts'

const triesWith = (perMinute: number, mostAddresses = 100) => {
  let milliseconds = 0
  const count = failedTries({ perMinute, mostAddresses, elapsed: () => milliseconds })
  return {
    count,
    pass: (seconds: number) => {
      milliseconds += seconds * 1_000
    },
  }
}

it('an address is slowed after its failures of a minute, until the minute is over', () => {
  const { count, pass } = triesWith(2)
  expect([count('a'), count('a')]).toEqual([undefined, undefined])
  pass(20)
  expect(count('a')).toEqual({ seconds: 40, first: true })
  expect(count('a')).toEqual({ seconds: 40, first: false })
  expect(count('b')).toBeUndefined()
  pass(40)
  expect(count('a')).toBeUndefined()
})

it('keeps so many addresses and no more', () => {
  const { count } = triesWith(1, 2)
  for (const address of ['a', 'b', 'c']) count(address)
  expect(count('a')).toBeUndefined()
  expect(count('c')).toMatchObject({ first: true })
})

it('0 slows nobody', () => {
  const { count } = triesWith(0)
  expect(Array.from({ length: 100 }, () => count('a')).every((slowed) => slowed === undefined)).toBe(true)
})

const unauthorized = () => new ServiceError('Default:Unauthorized', {})

it('P106: slowed failures are answered later and with RateLimited; other errors are not its business', async () => {
  const observations: Observation[] = []
  const slow = slowFailures({
    count: triesWith(1).count,
    observe: (observation) => observations.push(observation),
    pauseMilliseconds: 50,
    mostPaused: 10,
  })
  const first = unauthorized()
  expect(await slow(first, 'a')).toBe(first)
  const since = performance.now()
  expect(await slow(unauthorized(), 'a')).toMatchObject({
    errorName: 'RateLimited',
    parameters: { retryAfterSeconds: 60 },
  })
  expect(performance.now() - since).toBeGreaterThan(40)
  const other = new ServiceError('PathNotFound', {})
  expect(await slow(other, 'a')).toBe(other)
  await slow(unauthorized(), 'a')
  expect(observations).toEqual([{ kind: 'guessing-slowed', address: 'a', seconds: 60 }])
})

it('no more answers are held back than it was told', async () => {
  const slow = slowFailures({
    count: triesWith(1).count,
    observe: () => {},
    pauseMilliseconds: 60_000,
    mostPaused: 0,
  })
  await slow(unauthorized(), 'a')
  expect(await slow(unauthorized(), 'a')).toMatchObject({ errorName: 'RateLimited' })
})
