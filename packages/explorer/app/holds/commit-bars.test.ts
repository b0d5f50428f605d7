import { expect, it } from 'vitest'
import { commitBars } from './commit-bars.ts'

const at = (seconds: number) => ({
  version: String(seconds),
  committedAt: new Date(seconds * 1_000).toISOString(),
})

it('every commit is in one bar, the newest in the last', () => {
  const { bars, barMs, most } = commitBars([0, 1, 2, 50, 99, 100].map(at), 4)
  expect(bars).toEqual([
    { from: 0, commits: 3 },
    { from: 25_000, commits: 0 },
    { from: 50_000, commits: 1 },
    { from: 75_000, commits: 2 },
  ])
  expect({ barMs, most }).toEqual({ barMs: 25_000, most: 3 })
})

it('a single commit, and several at one time, are in the first bar', () => {
  expect(commitBars([at(7)], 3).bars.map(({ commits }) => commits)).toEqual([1, 0, 0])
  expect(commitBars([at(7), at(7)], 3).bars.map(({ commits }) => commits)).toEqual([2, 0, 0])
})
