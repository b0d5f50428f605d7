// For test files; the run must have a globalSetup created with vitest-global-setup.ts.
import { inject } from 'vitest'
import { freshDatabase as freshDatabaseFrom, type FreshDatabase } from './fresh-database.ts'
import type { Prepare } from './template-database.ts'
import type { ProvidedDatabase } from './vitest-context.ts'

export type { FreshDatabase } from './fresh-database.ts'

/** A prepared database for this test alone; removed by `drop()` or at the end of the run. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const provided: ProvidedDatabase | undefined = inject('octavoDatabase')
  if (provided === undefined) {
    throw new Error(
      'No database was provided: name a file that exports vitestGlobalSetup({ ... }) as globalSetup.',
    )
  }
  return freshDatabaseFrom(provided.facts, async (url) => {
    const module: unknown = await import(/* @vite-ignore */ provided.prepareModule)
    if (!exportsPrepare(module)) throw new Error(`${provided.prepareModule} does not export prepare(url).`)
    await module.prepare(url)
  })
}

const exportsPrepare = (module: unknown): module is { readonly prepare: Prepare } =>
  typeof module === 'object' && module !== null && 'prepare' in module && typeof module.prepare === 'function'
