import { invariant } from '../../base/errors/invariant.ts'

/** What a page token carries from one page of a walk to the next. */
export interface Walk {
  /** The same on every page of the walk, so that its pages can be found in a log. */
  readonly id: string
  readonly mode: WalkMode
  /** The order that the service chose for a filtered walk; undefined when it follows from the request. */
  readonly order: string | undefined
  /** The number of matches, counted once, on the first page. */
  readonly total: string | undefined
  /** The number of objects sent so far. */
  readonly served: number
  /** Undefined only at the beginning of a partition that no other partition precedes. */
  readonly position: PagePosition | undefined
  /** Set if the walk is one partition of a collection. */
  readonly partition?: WalkPartition | undefined
  /** The states of the other types that a snapshot walk follows links to, by the numbers of the types. */
  readonly linked?: LinkedStates | undefined
}

export type LinkedStates = ReadonlyMap<number, { readonly version: string; readonly tag: string }>

/** A walk in the order of the primary key that ends where the next partition begins. */
interface WalkPartition {
  /** The last key that belongs to the partition; undefined if no other partition follows. */
  readonly end: string | undefined
}

export type WalkMode =
  | { readonly kind: 'default' }
  /** The commit's tag distinguishes it from another commit with the same version, written after a restore. */
  | { readonly kind: 'snapshot'; readonly version: string; readonly tag: string }

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

/** The values of an order's keys for the last object of a page, as PostgreSQL writes them: text, never a number or a Date. */
export type PagePosition = readonly (string | null)[]
