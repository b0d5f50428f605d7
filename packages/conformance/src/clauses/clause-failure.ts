import type { Exchange } from '../exchange/exchange.ts'

/**
 * One thing that a clause demands and that the server did not do. It names the clause, because a walk may break a clause
 * other than that of its case.
 */
export interface Finding {
  readonly clause: string
  /** The expected answer. */
  readonly expected: string
  /** The mistake in the answer, if the answer alone does not show it. */
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

/** A function declaration, so that the compiler knows that it never returns. */
export function skip(reason: string): never {
  throw new CaseSkipped(reason)
}

export function demand(condition: boolean, finding: Finding): asserts condition {
  if (!condition) throw new ClauseFailure(finding)
}

/** A value as shown in a finding. */
export const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200)
