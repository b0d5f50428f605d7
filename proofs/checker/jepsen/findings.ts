// The counts of a run, and its findings.

export interface Findings {
  readonly count: (what: string, times?: number) => void
  readonly violation: (what: string, details: unknown) => void
  /** For what is no violation, but should be looked at. */
  readonly note: (what: string, details: unknown) => void
  readonly counts: () => Readonly<Record<string, number>>
  readonly violations: () => number
}

const print = (what: string, details: unknown): void =>
  console.log(`${new Date().toISOString()} ${what} ${JSON.stringify(details)?.slice(0, 2_000)}`)

export function findings(): Findings {
  const counts = new Map<string, number>()
  let violations = 0
  return {
    count: (what, times = 1) => counts.set(what, (counts.get(what) ?? 0) + times),
    violation: (what, details) => {
      violations += 1
      print(`VIOLATION: ${what}`, details)
    },
    note: print,
    counts: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    violations: () => violations,
  }
}
