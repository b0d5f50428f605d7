import type { Ontology } from '../../src/catalog/ontology.ts'
import type { TestStore } from './open-test-store.ts'

/** The ontology in which tests of promises create their types, bound to the API family of the same name. */
export const promisedOntology = (store: Pick<TestStore, 'applyOntology'>): Promise<Ontology> =>
  store.applyOntology({ apiName: 'promised', displayName: 'Promised', apiFamilies: ['promised'] })
