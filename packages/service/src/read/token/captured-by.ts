import { invariant } from '../../base/errors/invariant.ts'
import type { WalkMode } from './walk.ts'

export type Captured = Extract<WalkMode, { readonly kind: 'snapshot' }>

export interface CommitClock {
  readonly version: string
  readonly tag: string | null
}

/** What a statement that reads the latest state fixes for the statements after it: the version of its clock, with its tag. */
export function capturedBy(clock: CommitClock): Captured {
  const { version, tag } = clock
  invariant(tag !== null, 'captured-version-without-commit')
  return { kind: 'snapshot', version, tag }
}
