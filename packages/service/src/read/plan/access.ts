import type { Filter } from '../../catalog/filter/filter.ts'
import type { PageOrder } from './page-order.ts'

/** How the objects of a page are found. */
export type Access =
  /** In the order of an index, within a range of it; what the range does not decide is checked row by row. */
  | {
      readonly kind: 'scan'
      readonly order: PageOrder
      readonly within: Filter
      readonly check: Filter
    }
  /** All matches by indexes of any kind, then put in order: for filters that few objects match. */
  | { readonly kind: 'gather'; readonly order: PageOrder; readonly filter: Filter }

/** The name of an order that the service chose; a walk keeps it. */
export const orderName = ({ keys }: PageOrder): string => keys[0]?.column ?? ''
