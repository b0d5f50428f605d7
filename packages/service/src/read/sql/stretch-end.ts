import type { PagePlan } from '../plan/page-plan.ts'
import { withDead } from './compile-arm.ts'

/**
 * Whether whoever has read up to a row of a stretch may go on behind its position. At a version an object may have several rows
 * there, and the one that is alive may be the last of them: until it has come, or another object has, none of them is an
 * end. Rows after the last end are all of one object, and none is alive.
 */
export const compileEnd = (plan: PagePlan, key: string): string =>
  withDead(plan) ? `(alive or ${key} <> lead(${key}) over stretch) is true` : 'true'

/** What the last end says, in a query over the rows of a stretch; nothing if there is none. */
export const atLastEnd = (column: string): string =>
  `(array_agg(${column}) filter (where is_end))[count(*) filter (where is_end)]`
