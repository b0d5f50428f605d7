// Reads metrics that only the database knows: when the metrics are requested, and at most once in `keptMilliseconds`.
import { eachInTurn } from '../../base/each-in-turn.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Catalog } from '../../catalog/open-catalog.ts'
import type { Database } from '../../postgres/database.ts'
import { measureReplicas, type ReplicaMeasure } from './measure-replicas.ts'
import { measureTypes, type TypeMeasure } from './measure-types.ts'

export type StoreMeasure =
  | {
      readonly kind: 'measured'
      readonly ontologies: number
      readonly types: readonly TypeMeasure[]
      readonly replicas: readonly ReplicaMeasure[]
    }
  | { readonly kind: 'failed' }

interface Needs {
  readonly store: { readonly catalog: Catalog; readonly database: Database }
  readonly elapsed: () => number
  readonly observe: Observe
}

/** The first ones by name are measured; each takes one statement. */
export const mostOntologiesMeasured = 50

const keptMilliseconds = 10_000

/** Requests during a measurement share its result. */
export function storeMeasures(needs: Needs): () => Promise<StoreMeasure> {
  let last: { readonly since: number; readonly measure: Promise<StoreMeasure> } | undefined
  return () => {
    const since = needs.elapsed()
    if (last === undefined || since - last.since >= keptMilliseconds)
      last = { since, measure: measureNow(needs) }
    return last.measure
  }
}

async function measureNow({ store, observe }: Needs): Promise<StoreMeasure> {
  try {
    const ontologies = (await store.catalog.ontologies()).toSorted((a, b) => (a.apiName < b.apiName ? -1 : 1))
    const types: TypeMeasure[] = []
    const measuring = eachInTurn(ontologies.slice(0, mostOntologiesMeasured), async (ontology) => {
      types.push(...(await measureTypes(store.database, ontology)))
    })
    await measuring.catch((error: unknown) => {
      // On a cluster, a node that is down says nothing about the others.
      if (!store.database.isCitus()) throw error
      observe({ kind: 'measuring-failed', error })
    })
    const replicas = await measureReplicas(store.database)
    return { kind: 'measured', ontologies: ontologies.length, types, replicas }
  } catch (error) {
    observe({ kind: 'measuring-failed', error })
    return { kind: 'failed' }
  }
}
