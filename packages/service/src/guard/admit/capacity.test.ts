import { expect, it } from 'vitest'
import { measuredCapacity } from './capacity.ts'

const capacityWith = (mostPlaces = 8) => {
  let now = 0
  const capacity = measuredCapacity({
    leastPlaces: 2,
    mostPlaces,
    mostMilliseconds: 100,
    elapsed: () => now,
  })
  return {
    ...capacity,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    /** Serves `count` requests that each took `milliseconds`, with `beside` at work. */
    serve: (count: number, milliseconds: number, beside: number) => {
      for (let i = 0; i < count; i += 1) capacity.served({ milliseconds, beside })
    },
  }
}

it('a burst may use every place, and wait for as long as it may take', () => {
  const { serve, places, mostWaiting } = capacityWith()
  serve(100, 20, 1)
  expect(places()).toBe(8)
  // In 100 ms, each of the 8 places serves 5.
  expect(mostWaiting()).toBe(40)
})

it('where requests take longer than anybody may wait, two for each place may', () => {
  const { serve, mostWaiting } = capacityWith()
  serve(100, 5_000, 1)
  expect(mostWaiting()).toBe(16)
})

it('P165: a queue that has not ended for a while is kept short', () => {
  const { serve, pass, mostWaiting, nobodyWaits } = capacityWith()
  serve(100, 2, 1)
  expect(mostWaiting()).toBe(400)
  pass(101)
  expect(mostWaiting()).toBe(8)
  nobodyWaits()
  expect(mostWaiting()).toBe(400)
})

it('P165: where requests take long, one of a burst is kept for two of them, and in overload no longer than anybody', () => {
  const { serve, pass, longestMilliseconds } = capacityWith()
  serve(100, 400, 1)
  expect(longestMilliseconds()).toBeCloseTo(800)
  pass(101)
  expect(longestMilliseconds()).toBe(100)
})

it('in overload, requests that slow each other down get fewer places, and all of them afterwards', () => {
  const { serve, pass, places, nobodyWaits } = capacityWith()
  serve(100, 5, 1)
  pass(101)
  serve(20, 40, 8)
  expect(places()).toBeLessThan(8)
  serve(200, 40, 8)
  expect(places()).toBe(2)
  nobodyWaits()
  expect(places()).toBe(8)
})

it('in overload, requests that do not slow each other down keep every place', () => {
  const { serve, pass, places } = capacityWith()
  serve(100, 20, 1)
  pass(101)
  serve(500, 30, 8)
  expect(places()).toBe(8)
})

it('what is slow by itself, and not because of others, gets its places back', () => {
  const { serve, pass, places } = capacityWith()
  serve(100, 5, 1)
  pass(101)
  serve(200, 40, 8)
  expect(places()).toBe(2)
  serve(200, 40, 2)
  expect(places()).toBe(8)
})

it('a few requests that take a thousand times as long do not count for more', () => {
  const { serve, pass, places } = capacityWith()
  serve(100, 5, 1)
  pass(101)
  for (let i = 0; i < 50; i += 1) {
    serve(40, 6, 8)
    serve(1, 5_000, 8)
  }
  serve(20, 6, 8)
  expect(places()).toBe(8)
})
