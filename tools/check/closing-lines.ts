import type { ClaimResult } from './test-outcome.ts'

export interface ClaimOutcome extends ClaimResult {
  readonly name: string
  /** What failed while the machine stood still and was retried (decision 25): tests, or the claim itself. */
  readonly retried: readonly string[]
}

/** The last lines of a check: what does not hold and why, what was retried, and finally the count. */
export function closingLines(outcomes: readonly ClaimOutcome[]): readonly string[] {
  const sum = (count: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[count], 0)
  const retried = outcomes.flatMap((outcome) => outcome.retried)
  const broken = outcomes.filter(({ failed }) => failed > 0)
  return [
    ...broken.flatMap(({ name, why = [] }) => [`${name} does not hold:`, ...why.map((line) => `   ${line}`)]),
    ...retried.map((name) => `Retried, because the machine was stalled: ${name}`),
    `Retried: ${retried.length}`,
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ]
}
