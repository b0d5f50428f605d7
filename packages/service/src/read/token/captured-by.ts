import { invariant } from '../../base/errors/invariant.ts'

export interface Captured {
  readonly kind: 'snapshot'
  readonly version: string
  readonly tag: string
}

/** What a statement that reads the latest state fixes for the statements after it: the version of its clock, with its tag. */
export function capturedBy(clock: { readonly version: string; readonly tag: string | null }): Captured {
  const { version, tag } = clock
  invariant(tag !== null, 'captured-version-without-commit')
  return { kind: 'snapshot', version, tag }
}
