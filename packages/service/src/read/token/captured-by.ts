import { invariant } from '../../base/errors/invariant.ts'

export interface Captured {
  readonly kind: 'snapshot'
  readonly version: string
  readonly tag: string
}

/** What a statement that reads the latest state fixes for those after it: the version that its clock stands at, with its tag. */
export function capturedBy(clock: { readonly version: string; readonly tag: string | null }): Captured {
  const { version, tag } = clock
  invariant(tag !== null, 'captured-version-without-commit')
  return { kind: 'snapshot', version, tag }
}
