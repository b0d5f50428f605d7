// Manages access tokens and grants directly in the database: for the operator, before any caller has a token.
import type { AccessTokenRecord, AccessTokenRequest, CreatedAccessToken, GrantRecord } from '@octavo/protocol'
import { recordChange, type RecordedChange } from '../audit/record-change.ts'
import { operatorName } from '../guard/auth/principal-name.ts'
import { randomUuid } from '../guard/auth/random.ts'
import { logObservations } from '../observe/log-observations.ts'
import { createPool } from '../postgres/create-pool.ts'
import { openDatabase, type Reader } from '../postgres/database.ts'
import { createAccessToken, listAccessTokens, revokeAccessToken } from './access-tokens.ts'
import { addGrant, listGrants, removeGrant, type Principal, type ShownGrant } from './grants.ts'

/** Every change is recorded in the audit as made by the operator. */
export interface AccessManagement {
  readonly createToken: (request: AccessTokenRequest) => Promise<CreatedAccessToken>
  readonly listTokens: () => Promise<readonly AccessTokenRecord[]>
  /** Returns the token that is now revoked; undefined if there is none with this id. */
  readonly revokeToken: (accessTokenId: string) => Promise<AccessTokenRecord | undefined>
  /** The rid of the ontology with this rid or API name. */
  readonly findOntologyRid: (ridOrApiName: string) => Promise<string | undefined>
  readonly addGrant: (ontologyRid: string, grant: GrantRecord) => Promise<void>
  /** The grants of all ontologies. */
  readonly listGrants: () => Promise<readonly ShownGrant[]>
  /** Returns whether there was such a grant. */
  readonly removeGrant: (ontologyRid: string, principal: Principal) => Promise<boolean>
  readonly close: () => Promise<void>
}

export function openAccessManagement(
  databaseUrl: string,
  now: () => Date = () => new Date(),
): AccessManagement {
  const options = { databaseUrl, databasePoolSize: 1, statementTimeoutSeconds: 30 }
  const database = openDatabase(createPool(options, logObservations('silent')))
  const audit = (
    transaction: Reader,
    change: Omit<RecordedChange, 'id' | 'now' | 'subject'>,
  ): Promise<void> =>
    recordChange(transaction, { id: randomUuid(), now: now(), subject: operatorName, ...change })

  return {
    createToken: (request) =>
      database.transaction(async (transaction) => {
        const made = await createAccessToken(transaction, request, { now, randomUuid })
        await audit(transaction, {
          action: 'createAccessToken',
          details: { accessTokenId: made.accessTokenId },
        })
        return made
      }),
    listTokens: () => listAccessTokens(database),
    revokeToken: (id) =>
      database.transaction(async (transaction) => {
        const revoked = await revokeAccessToken(transaction, id, now())
        if (revoked !== undefined)
          await audit(transaction, { action: 'revokeAccessToken', details: { accessTokenId: id } })
        return revoked
      }),
    findOntologyRid: async (ridOrApiName) => {
      const rows = await database.rows({
        text: 'select rid from octavo.ontologies where rid = $1 or api_name = $1',
        values: [ridOrApiName],
      })
      return rows[0]?.['rid'] ?? undefined
    },
    addGrant: (ontologyRid, grant) =>
      database.transaction(async (transaction) => {
        await addGrant(transaction, ontologyRid, grant)
        await audit(transaction, { action: 'putGrant', ontologyRid, details: grant })
      }),
    listGrants: () => listGrants(database),
    removeGrant: (ontologyRid, principal) =>
      database.transaction(async (transaction) => {
        const removed = await removeGrant(transaction, ontologyRid, principal)
        if (removed) await audit(transaction, { action: 'removeGrant', ontologyRid, details: { principal } })
        return removed
      }),
    close: () => database.close(),
  }
}
