// Manages access tokens and grants directly in the database: for the operator, before any caller has a token.
import type { AccessTokenRecord } from '@octavo/protocol'
import { operatorName } from '../guard/auth/principal-name.ts'
import { randomUuid } from '../guard/auth/random.ts'
import { logObservations } from '../observe/log-observations.ts'
import { createPool } from '../postgres/create-pool.ts'
import { openDatabase } from '../postgres/database.ts'
import { accessChanges, type AccessChanges } from './access-changes.ts'
import { listAccessTokens } from './access-tokens.ts'
import { listGrants, type ShownGrant } from './grants.ts'

export interface AccessManagement extends AccessChanges {
  readonly listTokens: () => Promise<readonly AccessTokenRecord[]>
  /** The rid of the ontology with this rid or API name. */
  readonly findOntologyRid: (ridOrApiName: string) => Promise<string | undefined>
  /** The grants of all ontologies. */
  readonly listGrants: () => Promise<readonly ShownGrant[]>
  readonly close: () => Promise<void>
}

/** Every change is recorded in the audit as made by the operator. */
export function openAccessManagement(
  databaseUrl: string,
  now: () => Date = () => new Date(),
): AccessManagement {
  const observe = logObservations('silent')
  const options = { databaseUrl, databasePoolSize: 1, statementTimeoutSeconds: 30 }
  const database = openDatabase(createPool(options, observe))
  return {
    ...accessChanges({ database, audits: true, observe, now, randomUuid }, operatorName),
    listTokens: () => listAccessTokens(database),
    findOntologyRid: async (ridOrApiName) => {
      const rows = await database.rows({
        text: 'select rid from octavo.ontologies where rid = $1 or api_name = $1',
        values: [ridOrApiName],
      })
      return rows[0]?.['rid'] ?? undefined
    },
    listGrants: () => listGrants(database),
    close: () => database.close(),
  }
}
