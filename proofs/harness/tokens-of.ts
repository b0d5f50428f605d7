import type { Ontology, Store } from '../../packages/service/test/inside.ts'
import { grantTo, newTokenOf } from '../../packages/service/test/support/test-access.ts'

/** Tokens that may read and write, each of another new caller. */
export async function tokensOf(
  store: Store,
  { rid }: Ontology,
  { count, called }: { readonly count: number; readonly called: string },
): Promise<readonly string[]> {
  const tokens: string[] = []
  for (let number = 0; number < count; number += 1) {
    const subject = `${called}-${number}`
    await grantTo(store, subject, rid, 'writer')
    tokens.push((await newTokenOf(store, { subject })).token)
  }
  return tokens
}
