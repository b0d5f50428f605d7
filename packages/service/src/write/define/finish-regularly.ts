// Finishes definitions whose application was interrupted, and counts what is not counted yet. It runs on every instance, and the
// first to take the lock of a type does the work. Until a definition is finished, pages whose policy depends on it are refused (P148),
// and no other process might ever finish it.
import { eachInTurn } from '../../base/each-in-turn.ts'
import { regularly } from '../../base/regularly.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Observe } from '../../observe/observation.ts'
import { isUnfinished } from '../../catalog/object-type.ts'
import type { Catalog } from '../../catalog/open-catalog.ts'
import { typesWithoutCounts } from './count-values.ts'
import { finishAbandoned, type PreparingSources } from './finish-object-type.ts'

/**
 * Returns the function that stops it. It does not wait for a definition that is being finished at that moment: another instance
 * will finish it.
 */
export function finishRegularly(
  store: PreparingSources & { readonly catalog: Catalog },
  everySeconds: number,
  observe: Observe,
): () => void {
  let stopped = false

  const round = async (): Promise<void> => {
    await eachInTurn(await store.catalog.ontologies(), async (ontology) => {
      if (stopped) return
      const uncounted = await typesWithoutCounts(store, ontology)
      for (const type of await store.catalog.objectTypes(ontology)) {
        if (stopped) return
        if (!isUnfinished(type) && !uncounted.has(type.id)) continue
        // A definition that cannot be finished must not stop the others from being finished.
        await finishAbandoned(store, type).catch((error: unknown) => fail(error, type.apiName))
      }
    })
  }
  const fail = (error: unknown, objectType?: string): void => {
    if (stopped) return
    // The error names an object, which must not be logged. The caller who applies the definition gets the full error.
    const named = error instanceof ServiceError ? new Error(error.errorName) : error
    observe({ kind: 'preparing-failed', ...(objectType !== undefined && { objectType }), error: named })
  }

  const stop = regularly(everySeconds, round, fail)
  return () => {
    stopped = true
    void stop()
  }
}
