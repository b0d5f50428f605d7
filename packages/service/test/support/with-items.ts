// Items that the tests of a file share.
import { forAllTests } from '@octavo/dev-database/vitest'
import { collectionIn, loadItems, type LoadedItems } from './load-items.ts'
import type { PromisedService } from './serve-on-fresh-database.ts'

/** `loadItems` before the tests. */
export function withItems(
  at: Pick<PromisedService, 'store' | 'ontology'>,
  count: number,
  apiName = `items${count}`,
): LoadedItems {
  const type = forAllTests(async () => (await loadItems(at.store, at.ontology, count, apiName)).type)
  return { type, collection: collectionIn(at, apiName) }
}
