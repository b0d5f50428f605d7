import { expect, it } from 'vitest'
import { refusedWith } from '../../../test/support/refused-with.ts'
import { callerShare } from './caller-share.ts'

const shareWith = (options: Partial<Parameters<typeof callerShare>[0]> = {}) => {
  let milliseconds = 0
  const take = callerShare({
    perSecond: 2,
    burst: 3,
    mostCallers: 100,
    elapsed: () => milliseconds,
    ...options,
  })
  return {
    take,
    pass: (seconds: number) => {
      milliseconds += seconds * 1_000
    },
    /** How many of `tries` requests are let through at this moment. */
    takes: (subject: string, tries: number) =>
      Array.from({ length: tries }, () => refusedWith(() => take(subject))).filter(
        (refusal) => refusal === undefined,
      ).length,
  }
}

it('P114: a caller may send its burst at once, then as many as the rate gives back', () => {
  const { takes, pass } = shareWith()
  expect(takes('ada', 10)).toBe(3)
  pass(1)
  expect(takes('ada', 10)).toBe(2)
  pass(60)
  expect(takes('ada', 10)).toBe(3)
})

it('P114: one caller does not use up the share of another', () => {
  const { takes } = shareWith()
  expect(takes('ada', 10)).toBe(3)
  expect(takes('alan', 10)).toBe(3)
})

it('P106: a refusal says after how many whole seconds a request will be let through, and it will', () => {
  const { take, takes, pass } = shareWith({ perSecond: 1, burst: 1 })
  take('ada')
  pass(0.4)
  const refusal = refusedWith(() => take('ada'))
  expect(refusal).toMatchObject({ errorName: 'RateLimited', parameters: { retryAfterSeconds: 1 } })
  pass(1)
  expect(takes('ada', 1)).toBe(1)
})

it('refused requests do not count: a caller that keeps sending is admitted at the rate', () => {
  const { takes, pass } = shareWith({ perSecond: 1, burst: 1 })
  let through = 0
  for (let tenth = 0; tenth < 100; tenth += 1) {
    through += takes('ada', 5)
    pass(0.1)
  }
  expect(through).toBeGreaterThanOrEqual(10)
  expect(through).toBeLessThanOrEqual(11)
})

it('keeps so many callers and no more, and forgets the one that was quiet for longest', () => {
  const { takes } = shareWith({ mostCallers: 2 })
  expect(takes('ada', 3)).toBe(3)
  expect(takes('alan', 3)).toBe(3)
  expect(takes('ada', 1)).toBe(0)
  expect(takes('grace', 1)).toBe(1)
  expect(takes('ada', 1)).toBe(0)
  expect(takes('alan', 3)).toBe(3)
})

it('a rate of 0 means no limit', () => {
  expect(shareWith({ perSecond: 0 }).takes('ada', 10_000)).toBe(10_000)
})
