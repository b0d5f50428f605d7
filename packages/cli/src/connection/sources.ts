import type { ManagedOntology, Source } from '@octavo/protocol'
import type { Connection } from './connection.ts'
import { requestPath } from './request-path.ts'

/** The sources of an ontology; for its readers. */
export const sourcesOf = (
  connection: Connection,
  { rid }: Pick<ManagedOntology, 'rid'>,
): Promise<readonly Source[]> =>
  connection.allItems<Source>({ path: requestPath`/manage/v1/ontologies/${rid}/sources` })
