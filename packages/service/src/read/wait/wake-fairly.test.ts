import { expect, it } from 'vitest'
import { wakeFairly } from './wake-fairly.ts'

const sleepers = (subject: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ subject, name: `${subject} ${i}` }))

it('P393: each caller has one woken before any has a second', async () => {
  const woken: string[] = []
  const all = [...sleepers('ada', 4), ...sleepers('grace', 2), ...sleepers('mary', 1)]
  await wakeFairly(all, ({ name }) => woken.push(name))
  expect(woken).toEqual(['ada 0', 'grace 0', 'mary 0', 'ada 1', 'grace 1', 'ada 2', 'ada 3'])
})

it('P393: the event loop gets its turn after some hundred at most', async () => {
  const counts: number[] = []
  let woken = 0
  const count = (): void => {
    counts.push(woken)
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  await wakeFairly(sleepers('ada', 2_000), () => (woken += 1))
  clearImmediate(counting)
  const atOnce = counts.map((each, i) => each - (counts[i - 1] ?? 0))
  expect(woken).toBe(2_000)
  expect(counts.length).toBeGreaterThan(5)
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(300)
})
