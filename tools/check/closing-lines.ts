import type { ClaimResult } from './test-outcome.ts'

export interface ClaimOutcome extends ClaimResult {
  readonly name: string
  /** How many times it was retried because the machine stood still (decision 25). */
  readonly triedAgain: number
}

/** The last lines of a check: what does not hold and why, which claims were retried, and finally the count. */
export function closingLines(outcomes: readonly ClaimOutcome[]): readonly string[] {
  const sum = (count: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[count], 0)
  const again = outcomes.filter(({ triedAgain }) => triedAgain > 0)
  const named = again.map(
    ({ name, triedAgain, failed }) =>
      `${name} (${times(triedAgain)}${failed > 0 ? ', without success' : ''})`,
  )
  const broken = outcomes.filter(({ failed }) => failed > 0)
  return [
    ...broken.flatMap(({ name, why = [] }) => [`${name} does not hold:`, ...why.map((line) => `   ${line}`)]),
    ...(again.length === 0 ? [] : [`Retried, because the machine was stalled: ${named.join(', ')}`]),
    `Claims that were retried: ${again.length} of ${outcomes.length}`,
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ]
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
