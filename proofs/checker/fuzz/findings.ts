// Counts, and each kind of problem once, with an example.

export interface Findings {
  readonly count: (what: string) => void
  readonly problem: (kind: string, example: string) => void
  readonly counts: () => Readonly<Record<string, number>>
  readonly problems: () => number
}

export function findings(): Findings {
  const counts = new Map<string, number>()
  const problems = new Set<string>()
  return {
    count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
    problem: (kind, example) => {
      if (problems.has(kind)) return
      problems.add(kind)
      console.log(`PROBLEM: ${kind}\n   ${example}`)
    },
    counts: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    problems: () => problems.size,
  }
}
