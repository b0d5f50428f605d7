import { loadItems } from '../../packages/service/test/support/load-items.ts'
import type { Collection } from '../../packages/service/test/support/page-revisions.ts'
import { withServedCollection, type ServedCollection } from '../harness/with-store.ts'

export interface ServedItems extends ServedCollection {
  readonly collection: Collection
}

/** Runs the service with a small collection while the work runs. */
export const withServedItems = (work: (served: ServedItems) => Promise<void>): Promise<void> =>
  withServedCollection(async (served) => {
    const { collection } = await loadItems(served.store, served.ontology, 50)
    await work({ ...served, collection })
  })
