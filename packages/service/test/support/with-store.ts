// A store on its own database.
import { forAllTests, forEachTest, freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import type { Ontology } from '../../src/catalog/ontology.ts'
import { openTestStore, type TestStore } from './open-test-store.ts'
import { promisedOntology } from './promised-ontology.ts'
import type { StoreSources } from '../../src/open-store.ts'

interface OpenedStore {
  readonly database: FreshDatabase
  readonly store: TestStore
}

function open(opening: typeof forAllTests, sources: Partial<StoreSources>): OpenedStore {
  const database = opening(freshDatabase)
  return { database, store: opening(async () => openTestStore({ databaseUrl: database.url }, sources)) }
}

/** One for all tests of a file. The ontology is bound to the API family `promised`. */
export function withStore(
  sources: Partial<StoreSources> = {},
): OpenedStore & { readonly ontology: Ontology } {
  const opened = open(forAllTests, sources)
  return { ...opened, ontology: forAllTests(() => promisedOntology(opened.store)) }
}

/** One for each test, without an ontology. */
export const withStoreForEachTest = (sources: Partial<StoreSources> = {}): OpenedStore =>
  open(forEachTest, sources)

let made = 0

/** An empty ontology that no other test has. */
export const nextOntology = (store: Pick<TestStore, 'applyOntology'>): Promise<Ontology> =>
  store.applyOntology({ apiName: `made${(made += 1)}`, displayName: 'Made' })
