import { freshDatabase } from '@octavo/dev-database/vitest'
import type { Ontology } from '../../src/catalog/ontology.ts'
import { startTestService, type TestService, type TestServiceOptions } from './start-test-service.ts'
import { promisedOntology } from './promised-ontology.ts'

export interface PromisedService extends TestService {
  readonly databaseUrl: string
  /** Bound to the API family of the same name. */
  readonly ontology: Ontology
}

/** The whole service on a database that has no ontologies yet. */
export async function servePromised(options: TestServiceOptions): Promise<PromisedService> {
  const service = await startTestService(options)
  return { ...service, databaseUrl: options.databaseUrl, ontology: await promisedOntology(service.store) }
}

/** The whole service on its own database, with one empty ontology. */
export async function serveOnFreshDatabase(
  options: Omit<TestServiceOptions, 'databaseUrl'> = {},
): Promise<PromisedService> {
  const database = await freshDatabase()
  const service = await servePromised({ databaseUrl: database.url, ...options })
  return {
    ...service,
    close: async () => {
      await service.close()
      await database.drop()
    },
  }
}
