import { searchTerms } from '@octavo/protocol'

/**
 * PostgreSQL's limit for one term. A longer term is stored cut. No term of a query is that long (its text has at most 1,024
 * bytes, in lower case half as many again), so a cut term equals no query term and still has the same prefixes.
 */
const mostBytes = 2_046

/** The terms of all values, in order. An empty term between two values keeps a phrase from matching across them. */
export function termsOfValues(values: readonly string[]): readonly string[] {
  const terms: string[] = []
  for (const value of values) {
    const some = searchTerms(value)
    if (some.length === 0) continue
    if (terms.length > 0) terms.push('')
    for (const term of some) terms.push(term.length * 3 > mostBytes ? cut(term) : term)
  }
  return terms
}

/** The longest prefix of whole characters that fits. */
function cut(term: string): string {
  const bytes = Buffer.from(term)
  if (bytes.length <= mostBytes) return term
  let end = mostBytes
  // Continuation bytes of a character begin with the bits 10.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
