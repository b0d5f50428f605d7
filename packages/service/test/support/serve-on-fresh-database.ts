import { freshDatabase } from '@octavo/dev-database/vitest'
import type { Ontology } from '../../src/catalog/ontology.ts'
import { startTestService, type TestService, type TestServiceOptions } from './start-test-service.ts'
import { promisedOntology } from './promised-ontology.ts'

export interface PromisedService extends TestService {
  readonly databaseUrl: string
  /** Bound to the API family of the same name. */
  readonly ontology: Ontology
}

/** The whole service on its own database, with one empty ontology. */
export async function serveOnFreshDatabase(
  options: Omit<TestServiceOptions, 'databaseUrl'> = {},
): Promise<PromisedService> {
  const database = await freshDatabase()
  const service = await startTestService({ databaseUrl: database.url, ...options })
  const ontology = await promisedOntology(service.store)
  return {
    ...service,
    databaseUrl: database.url,
    ontology,
    close: async () => {
      await service.close()
      await database.drop()
    },
  }
}
