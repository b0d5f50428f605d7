// The contents of a fresh development database, so that the first request returns something. README.md shows it.
import { exampleEmployee, exampleObjects, exampleOntology } from '@octavo/cli'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { grantTo, newTokenOf } from '../../packages/service/test/support/test-access.ts'

export interface ExampleOntology {
  readonly rid: string
  /** The token of a caller who owns it. */
  readonly token: string
}

/** Creates the ontology `example` with its API family; its rids are the same in every development database. */
export async function makeExampleOntology(databaseUrl: string): Promise<ExampleOntology> {
  let made = 0
  const randomUuid = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`
  const store = openTestStore({ databaseUrl, databasePoolSize: 2 }, { randomUuid })
  try {
    const ontology = await store.applyOntology(exampleOntology)
    const type = await store.applyObjectType(ontology, exampleEmployee)
    const changes = exampleObjects.map((properties) => putObject(type, properties))
    await store.commit({ parts: [{ type, changes }] })
    await grantTo(store, 'developer', ontology.rid, 'owner')
    const { token } = await newTokenOf(store, { subject: 'developer' })
    return { rid: ontology.rid, token }
  } finally {
    await store.database.close()
  }
}
