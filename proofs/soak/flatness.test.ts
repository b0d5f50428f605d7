import { expect, it } from 'vitest'
import { judgeFlatness } from './flatness.ts'
import type { Measures } from './measures.ts'

const samplesOf = (memory: readonly number[]): readonly Measures[] =>
  memory.map((memoryMegabytes, seconds) => ({
    seconds,
    memoryMegabytes,
    connections: 1,
    historyRows: 1,
    historyKilobytes: 1,
    currentKilobytes: 1,
    bytesARow: 1,
  }))
const allowance = { name: 'memoryMegabytes', unit: 'MB', times: 1.1, more: 5 } as const

it('a series that goes up and down is flat', () => {
  const memory = [100, 130, 90, 120, 80, 140, 100, 130, 90]
  expect(judgeFlatness(samplesOf(memory), allowance)).toMatchObject({ isFlat: true, first: 100, last: 100 })
})

it('a series that grows a little with every sample is not', () => {
  const memory = Array.from({ length: 30 }, (_, i) => 100 + i)
  expect(judgeFlatness(samplesOf(memory), allowance)).toMatchObject({ isFlat: false, first: 105, last: 125 })
})

it('too few samples show nothing', () => {
  expect(judgeFlatness(samplesOf([100, 100]), allowance).isFlat).toBe(false)
})
