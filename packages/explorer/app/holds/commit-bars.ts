import type { TypeCommit } from '@octavo/client'

interface CommitBar {
  /** In milliseconds since 1970. */
  readonly from: number
  readonly commits: number
}

export interface CommitBars {
  readonly bars: readonly CommitBar[]
  readonly barMs: number
  /** The largest number of commits in a bar. */
  readonly most: number
}

/** How many commits there were in each of so many equal times, from the oldest commit to the newest. Every commit is in one of them. */
export function commitBars(commits: readonly TypeCommit[], count: number): CommitBars {
  const times = commits.map(({ committedAt }) => Date.parse(committedAt))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const barMs = Math.max(1, (last - first) / count)
  const counts = Array.from({ length: count }, () => 0)
  for (const time of times) {
    const bar = Math.max(0, Math.min(count - 1, Math.floor((time - first) / barMs)))
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  const bars = counts.map((each, i) => ({ from: first + i * barMs, commits: each }))
  return { bars, barMs, most: Math.max(...counts) }
}
