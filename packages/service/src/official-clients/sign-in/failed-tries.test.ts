import { expect, it } from 'vitest'
import { failedTries } from './failed-tries.ts'

const triesWith = (perMinute: number, mostAddresses = 100) => {
  let milliseconds = 0
  const { count, isSlowed } = failedTries({ perMinute, mostAddresses, elapsed: () => milliseconds })
  return {
    count,
    isSlowed,
    pass: (seconds: number) => {
      milliseconds += seconds * 1_000
    },
  }
}

it('an address is slowed after its failures of a minute, until the minute is over', () => {
  const { count, isSlowed, pass } = triesWith(2)
  expect([count('a'), isSlowed('a'), count('a')]).toEqual([undefined, false, undefined])
  expect([isSlowed('a'), isSlowed('b')]).toEqual([true, false])
  pass(20)
  expect(count('a')).toEqual({ seconds: 40, first: true })
  expect(count('a')).toEqual({ seconds: 40, first: false })
  expect(count('b')).toBeUndefined()
  pass(40)
  expect(isSlowed('a')).toBe(false)
  expect(count('a')).toBeUndefined()
})

it('keeps so many addresses and no more', () => {
  const { count } = triesWith(1, 2)
  for (const address of ['a', 'b', 'c']) count(address)
  expect(count('a')).toBeUndefined()
  expect(count('c')).toMatchObject({ first: true })
})
