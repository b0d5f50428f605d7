import type { Exchange } from './exchange/exchange.ts'

/** One thing that a clause demands and that did not come. It names its clause, which a walk may find while it serves another case. */
export interface Finding {
  readonly clause: string
  /** What should have come back. */
  readonly expected: string
  /** What is wrong with what came back, where the answer alone does not show it. */
  readonly found?: string | undefined
  readonly exchange?: Exchange | undefined
}

export class ClauseFailure extends Error {
  readonly finding: Finding

  constructor(finding: Finding) {
    super(`${finding.clause}: expected ${finding.expected}${finding.found ? `, found ${finding.found}` : ''}`)
    this.finding = finding
  }
}

/** A case that cannot be tried on this server or with this data. */
export class CaseSkipped extends Error {}

/** Declared as a function, so that the compiler knows that nothing comes after it. */
export function skip(reason: string): never {
  throw new CaseSkipped(reason)
}

export function demand(condition: boolean, finding: Finding): asserts condition {
  if (!condition) throw new ClauseFailure(finding)
}

/** A value as a finding shows it. */
export const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200)
