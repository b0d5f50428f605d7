import type { PagePlan } from '../../plan/page-plan.ts'
import { compileClockQuery } from '../../sql/compile-clock.ts'
import { readClock, requireDefinition, type PageClock } from './page-clock.ts'
import { requireReadable } from './require-readable.ts'
import type { Database } from '../../../postgres/database.ts'

/** Reads the clock alone, without objects. */
export async function askClock(
  { database }: { readonly database: Pick<Database, 'holding'> },
  plan: Pick<PagePlan, 'type' | 'at'>,
  signal: AbortSignal | undefined,
): Promise<PageClock> {
  const answer = await database.holding(plan.type.schema).bytes(compileClockQuery(plan), signal)
  const clock = requireDefinition(plan.type, readClock(answer?.[0]?.toString() ?? ''))
  requireReadable(clock, plan)
  return clock
}
