import type { OrderDirection, ScalarType } from '@octavo/protocol'
import type { Filter, LinkedState } from '../../catalog/filter/filter.ts'
import type { AfterPosition } from '../../catalog/source-positions.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { RecordShape } from '../request/page-request.ts'
import type { PagePosition } from '../token/walk.ts'

/** The keys of an order. The last one is the primary key, so no two objects are equal. */
export interface PageOrder {
  readonly keys: readonly OrderKey[]
  /** 'backward' reads the index from its end. The index keeps nulls last, so they would then come first. */
  readonly scan: 'forward' | 'backward'
}

export interface OrderKey {
  readonly column: string
  /** The expression that the index holds where it holds no whole values: `left(p1, 250)`. Then `column` is a name for it: `p1_start`. */
  readonly source?: string
  readonly scalar: ScalarType
  readonly direction: OrderDirection
  readonly nullable: boolean
}

/** How the objects of a page are found. */
export type Access =
  /** Reads a range of an index in order. Conditions that the range does not decide are checked row by row. */
  | {
      readonly kind: 'scan'
      readonly order: PageOrder
      readonly within: Filter
      readonly check: Filter
    }
  /** Finds all matches with indexes of any kind, then sorts them: for filters that few objects match. */
  | { readonly kind: 'gather'; readonly order: PageOrder; readonly filter: Filter }

/** The name of an order that the service chose; the page token of the walk keeps it. */
export const orderName = ({ keys }: PageOrder): string => keys[0]?.column ?? ''

export type Position = PagePosition

/** Everything that decides which objects a page holds, before it is compiled to SQL. */
export interface PagePlan {
  readonly type: ObjectType
  readonly record: RecordShape
  readonly order: PageOrder
  /** The last object of the previous page; the page holds what comes after it. Undefined on the first page. */
  readonly position: Position | undefined
  /** The last primary key of the partition, if the walk reads only one: no object after it belongs to a page. */
  readonly end?: string | undefined
  readonly at: PointInTime
  readonly pageSize: number
  readonly byteBudget: number
  /** How a filtered page is found; undefined when every object belongs to the page. */
  readonly access?: Access | undefined
  /** The states of other types that are read with the page, because its filter follows links. */
  readonly linked?: readonly LinkedState[] | undefined
  /**
   * Whether a policy may hide objects of the type, or of one that the filter looks at through links. Then nothing that shows may depend on
   * how the page was found, because that depends on the hidden objects too.
   */
  readonly isGuarded?: boolean
  /** The properties to send; all of them when undefined. */
  readonly select?: readonly string[] | undefined
}

export type PointInTime =
  /** The state that is committed when the page is read; on request, only if it contains a position of a source. */
  | { readonly kind: 'latest'; readonly after?: AfterPosition | undefined }
  /** The same, and the tag of its commit: the first page of a snapshot walk. */
  | { readonly kind: 'capture'; readonly after?: AfterPosition | undefined }
  /** A version. Its number alone is not enough: after a restore another commit, with another tag, may have the same number. */
  | {
      readonly kind: 'snapshot'
      readonly version: string
      readonly tag: string
      /** The epochs of history to read; all of history when undefined. */
      readonly epochs?: EpochRange | undefined
    }

/** Only rows of these epochs can have been alive at the version and have ended since. */
interface EpochRange {
  /** The first one. */
  readonly from: string
  readonly count: number
}
