import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { watchEventLoop } from './event-loop.ts'

/** A watch whose clock advances by the given steps between two checks. */
const watchWith = (steps: readonly number[]) => {
  let now = 0
  let looks = 0
  const watch = watchEventLoop({
    mostMilliseconds: 100,
    everyMilliseconds: 1,
    elapsed: () => (now += steps[looks++ - 1] ?? 1),
  })
  return { ...watch, looksTaken: () => looks - 1 }
}

let stop = () => {}
afterEach(() => stop())

it.for([
  ['on time', [1, 2, 1], false],
  ['late once, as after a garbage collection', [1, 200, 1], false],
  ['late once and again', [1, 200, 1, 200], false],
  ['late twice in a row', [1, 200, 200], true],
] as const)('a process that is %s', async ([, steps, late]) => {
  const watch = watchWith(steps)
  stop = watch.stop
  let seen = false
  while (watch.looksTaken() < steps.length) {
    await sleep(1)
    seen = watch.isLate()
  }
  stop()
  expect(seen).toBe(late)
})
