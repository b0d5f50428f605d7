import { limits, searchTerms } from '@octavo/protocol'

/**
 * A longer term is kept cut to this many characters: no query term is as long (its text has at most 1,024 bytes), so a
 * cut term equals none and begins with the same ones.
 */
const mostCharacters = limits.query.textBytes + 1

/** The terms of all values, in order. An empty term between two values keeps phrases from reaching across. */
export function termsOfValues(values: readonly string[]): readonly string[] {
  const terms: string[] = []
  for (const value of values) {
    const some = searchTerms(value)
    if (some.length === 0) continue
    if (terms.length > 0) terms.push('')
    for (const term of some)
      terms.push(term.length > mostCharacters ? term.slice(0, mostCharacters).toWellFormed() : term)
  }
  return terms
}
