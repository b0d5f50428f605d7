import type { Ontology } from '../../src/catalog/ontology.ts'
import type { Store } from '../../src/open-store.ts'

/** What the tests of promises keep their types in, bound to the API family of the same name. */
export const promisedOntology = (store: Pick<Store, 'applyOntology'>): Promise<Ontology> =>
  store.applyOntology({ apiName: 'promised', displayName: 'Promised', apiFamilies: ['promised'] })
