import type { Properties } from '@octavo/model'

/** Identifies an object in one state. */
export const identity = ({ id, edition }: Properties): string => `${String(id)} ${String(edition)}`

export const identities = (objects: readonly Properties[]): readonly string[] => objects.map(identity)

export function same(got: readonly string[], expected: readonly string[], what: string): void {
  const most = Math.max(got.length, expected.length)
  for (let i = 0; i < most; i += 1) {
    if (got[i] !== expected[i]) {
      throw new Error(
        `${what} differ at ${i}: ${got[i]} instead of ${expected[i]} (${got.length} and ${expected.length} objects)`,
      )
    }
  }
}
