import type { Ontology } from '../../src/catalog/ontology.ts'
import type { Store } from '../../src/open-store.ts'

/** The ontology in which tests of promises create their types, bound to the API family of the same name. */
export const promisedOntology = (store: Pick<Store, 'applyOntology'>): Promise<Ontology> =>
  store.applyOntology({ apiName: 'promised', displayName: 'Promised', apiFamilies: ['promised'] })
