import type { ObjectType } from '../../src/catalog/object-type.ts'
import { chooseOrder } from '../../src/read/plan/choose-order.ts'
import type { PagePlan } from '../../src/read/plan/page-plan.ts'

/** The first page of the latest state, in the order of the key, with room for 100 objects of any size; or as `plan` says. */
export const pagePlanOf = (type: ObjectType, plan: Partial<PagePlan> = {}): PagePlan => ({
  type,
  record: '2.0',
  order: chooseOrder(type, []),
  position: undefined,
  at: { kind: 'latest' },
  pageSize: 100,
  byteBudget: 8_000_000,
  ...plan,
})
