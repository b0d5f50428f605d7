import type { ObjectType } from '../../catalog/object-type.ts'
import type { Access } from './access.ts'
import type { PageOrder } from './page-order.ts'
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
  /** The properties that are sent; all of them when there is no list. */
  readonly select?: readonly string[] | undefined
}

/** How an object is written: revision 1.0 lists it, revision 2.0 finds it. */
export type RecordShape = 'listed' | 'found'

export type PointInTime =
  /** What is committed when the page is read. */
  | { readonly kind: 'latest' }
  /** The same, and the page says which version that was: the first page of a snapshot walk. */
  | { readonly kind: 'capture' }
  /** Its number alone is not enough: after a restore it may be that of another commit, with another tag. */
  | { readonly kind: 'snapshot'; readonly version: string; readonly tag: string }
