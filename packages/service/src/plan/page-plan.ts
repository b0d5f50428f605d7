import type { OrderDirection, ScalarType } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Access } from './access.ts'
import type { PagePosition } from '../token/page-position.ts'

export type Position = PagePosition

/** Everything that decides which objects a page holds, before it is written as SQL. */
export interface PagePlan {
  readonly type: ObjectType
  readonly record: RecordShape
  readonly order: PageOrder
  /** The last object of the previous page; the page holds what comes after it. */
  readonly position: Position | undefined
  readonly at: PointInTime
  readonly pageSize: number
  readonly byteBudget: number
  /** How a filtered page is found; nothing when every object belongs to it. */
  readonly access?: Access | undefined
}

/** How an object is written: revision 1.0 lists it, revision 2.0 finds it. */
export type RecordShape = 'listed' | 'found'

export type PointInTime =
  /** What is committed when the page is read. */
  | { readonly kind: 'latest' }
  /** The same, and the page says which version that was: the first page of a snapshot walk. */
  | { readonly kind: 'capture' }
  | { readonly kind: 'snapshot'; readonly version: string }

/** Keys of which the last is the primary key, so that no two objects are equal in it. */
export interface PageOrder {
  readonly keys: readonly OrderKey[]
  /** Whether the index is read from its end; then nulls, which it keeps last, would come first. */
  readonly scan: 'forward' | 'backward'
}

export interface OrderKey {
  readonly column: string
  /** What the index holds, where that is not the column itself. */
  readonly source?: string
  readonly scalar: ScalarType
  readonly direction: OrderDirection
  readonly nullable: boolean
}
