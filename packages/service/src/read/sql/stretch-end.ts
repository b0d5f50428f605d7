import type { PagePlan } from '../plan/page-plan.ts'
import { withDead } from './compile-arm.ts'

/**
 * Whether the next stretch may start behind this row. At a version an object may have several rows in a stretch, and the last of
 * them may be the one that is alive. Until that row or another object's row has been read, none of its rows is an end. Rows
 * after the last end are all of one object, and none of them is alive.
 */
export const compileEnd = (plan: PagePlan, key: string): string =>
  withDead(plan) ? `(alive or ${key} <> lead(${key}) over stretch) is true` : 'true'

/** The value of the column at the last end, in a query over the rows of a stretch; null if there is no end. */
export const atLastEnd = (column: string): string =>
  `(array_agg(${column}) filter (where is_end))[count(*) filter (where is_end)]`
