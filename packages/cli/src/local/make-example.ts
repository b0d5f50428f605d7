import type { Connection } from '../connection/connection.ts'
import { requestPath } from '../connection/request-path.ts'
import { putObjectType, putOntology } from '../definitions/plan-definitions.ts'
import { exampleEmployee, exampleObjects, exampleOntology } from './example-objects.ts'

/** Creates the example ontology through the service; returns its rid. */
export async function makeExample(connection: Connection): Promise<string> {
  const { rid = '' } = await putOntology(connection, exampleOntology, { dryRun: false })
  await putObjectType(connection, rid, exampleEmployee, { dryRun: false })
  await connection.json({
    method: 'POST',
    path: requestPath`/manage/v1/ontologies/${rid}/objectTypes/${exampleEmployee.apiName}/batches`,
    headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'example' },
    body: exampleObjects.map((properties) => `${JSON.stringify({ type: 'put', properties })}\n`).join(''),
  })
  return rid
}
