import type { Ontology } from '../catalog/ontology.ts'
import type { Store } from '../open-store.ts'

/** What the tests of promises keep their types in, bound to the API family of the same name. */
export const promisedOntology = (store: Pick<Store, 'applyOntology'>): Promise<Ontology> =>
  store.applyOntology({ apiName: 'promised', displayName: 'Promised', apiFamilies: ['promised'] })
