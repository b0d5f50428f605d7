import { expect, it } from 'vitest'
import { retryAfter } from './retry-after.ts'

/** Feeds outcomes until the share of refusals has settled; returns the seconds of the next refusals. */
function secondsWhen(refusedOfTen: number): readonly number[] {
  let number = 0
  const seconds: number[] = []
  const after = retryAfter(() => (number = (number + 0.37) % 1))
  for (let i = 0; i < 2_000; i += 1) {
    if (i % 10 >= refusedOfTen) after.served()
    else if (i < 1_500) after.refused()
    else seconds.push(after.refused())
  }
  return seconds
}

it('P106, P165: refused requests come back in whole seconds, spread wider the more of them there are', () => {
  const [few, many, most] = [secondsWhen(1), secondsWhen(8), secondsWhen(9)]
  expect(new Set(few)).toEqual(new Set([1, 2]))
  expect(Math.max(...many)).toBeGreaterThanOrEqual(5)
  expect(Math.max(...most)).toBeGreaterThan(Math.max(...many))
  for (const seconds of [...few, ...many, ...most]) expect(Number.isInteger(seconds)).toBe(true)
})

it('refusals of one moment do not all come back together', () => {
  const seconds = secondsWhen(8)
  for (const each of new Set(seconds)) {
    expect(seconds.filter((other) => other === each).length).toBeLessThan(seconds.length / 2)
  }
})

it('however many are refused, nobody is sent away for longer than half a minute', () => {
  const after = retryAfter(() => 0.999)
  expect(Math.max(...Array.from({ length: 10_000 }, () => after.refused()))).toBe(30)
})
