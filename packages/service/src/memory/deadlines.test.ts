import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deadlines } from './deadlines.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a thing has all of its time and at most a twentieth more, whenever it came', () => {
  const ended = new Map<string, number>()
  const things = deadlines<string>(1_000, (thing) => ended.set(thing, Date.now()))
  const came = new Map<string, number>()
  for (let i = 0; i < 200; i += 1) {
    came.set(`thing ${i}`, Date.now())
    things.add(`thing ${i}`)
    vi.advanceTimersByTime(17)
  }
  vi.advanceTimersByTime(1_100)
  expect(ended.size).toBe(200)
  for (const [thing, at] of ended) {
    const had = at - (came.get(thing) ?? 0)
    expect(had).toBeGreaterThanOrEqual(1_000)
    expect(had).toBeLessThanOrEqual(1_050)
  }
})

it('what is done is left alone, and nothing is looked at while there is nothing', () => {
  const ended: string[] = []
  const things = deadlines<string>(1_000, (thing) => ended.push(thing))
  things.add('done')
  things.add('late')
  things.delete('done')
  vi.advanceTimersByTime(2_000)
  expect(ended).toEqual(['late'])
  expect(vi.getTimerCount()).toBe(0)
})

it('a thing that comes again when its time is up has all of it again', () => {
  let times = 0
  const things = deadlines<string>(1_000, (thing) => {
    times += 1
    things.add(thing)
  })
  things.add('again')
  vi.advanceTimersByTime(5_500)
  expect(times).toBe(5)
})
