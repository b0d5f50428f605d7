// For test files; the run must have a globalSetup created with vitest-global-setup.ts.
import { inject } from 'vitest'
import { freshDatabase as freshDatabaseFrom, type FreshDatabase } from './fresh-database.ts'
import type { TemplateFacts } from './template-facts.ts'
import { provided } from './vitest-context.ts'

export type { FreshDatabase } from './fresh-database.ts'
export { forAllTests, forEachTest } from './vitest-open.ts'

/** A prepared database for this test alone; removed by `drop()` or at the end of the run. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const facts: TemplateFacts | undefined = inject(provided)
  if (facts === undefined) {
    throw new Error(
      'No database was provided: name a file that exports vitestGlobalSetup({ ... }) as globalSetup.',
    )
  }
  return freshDatabaseFrom(facts)
}
