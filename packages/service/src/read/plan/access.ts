import type { Filter } from '../../catalog/filter/filter.ts'
import type { PageOrder } from './page-order.ts'

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
