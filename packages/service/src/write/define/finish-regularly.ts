// Finishes definitions whose applying was cut off, on every instance: whoever comes first does the work. Until it is
// done, pages that a policy needs it for are refused (P148), and nobody else may ever come.
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Observe } from '../../observe/observation.ts'
import type { WriteStore } from '../write-store.ts'
import { isUnfinished } from './finish-object-type.ts'

/** Gives the function that stops it. What is being finished at that moment is not waited for: another instance goes on with it. */
export function finishRegularly(
  { catalog, finishAbandoned }: Pick<WriteStore, 'catalog' | 'finishAbandoned'>,
  everySeconds: number,
  observe: Observe,
): () => void {
  let stopped = false
  let running = false

  const round = async (): Promise<void> => {
    for (const ontology of await catalog.ontologies()) {
      for (const type of await catalog.objectTypes(ontology)) {
        if (stopped) return
        if (!isUnfinished(type)) continue
        // One that cannot be finished does not keep the others from it.
        await finishAbandoned(type).catch((error: unknown) => fail(error, type.apiName))
      }
    }
  }
  const fail = (error: unknown, objectType?: string): void => {
    if (stopped) return
    // A refusal names an object, which is not for a log: whoever applies the definition is told.
    const named = error instanceof ServiceError ? new Error(error.errorName) : error
    observe({ kind: 'preparing-failed', ...(objectType !== undefined && { objectType }), error: named })
  }

  const timer = setInterval(() => {
    // A round that takes longer than the interval is not joined by another.
    if (running) return
    running = true
    void round()
      .catch(fail)
      .finally(() => {
        running = false
      })
  }, everySeconds * 1_000)
  timer.unref()

  return () => {
    stopped = true
    clearInterval(timer)
  }
}
