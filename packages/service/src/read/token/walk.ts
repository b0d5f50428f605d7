import type { PagePosition } from './page-position.ts'

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
  /** The commit's tag tells it from another commit with the same version, written after a restore. */
  | { readonly kind: 'snapshot'; readonly version: string; readonly tag: string }
