// Changes of access tokens and grants, by a caller over HTTP or by an operator on the database. Each is made together with its row in
// the audit: both are written or neither.
import type { AccessTokenRecord, AccessTokenRequest, CreatedAccessToken, GrantRecord } from '@octavo/protocol'
import { recordChange } from '../audit/record-change.ts'
import type { Transaction } from '../postgres/database.ts'
import { notingUnknown, type Attempt } from '../write/audited-changes.ts'
import { createAccessToken, revokeAccessToken } from './access-tokens.ts'
import { addGrant, removeGrant, type Principal } from './grants.ts'
import type { ManageService } from './manage-service.ts'

export interface AccessChanges {
  readonly createToken: (request: AccessTokenRequest) => Promise<CreatedAccessToken>
  /** Returns the token that is now revoked; undefined if there is none with this id. */
  readonly revokeToken: (accessTokenId: string) => Promise<AccessTokenRecord | undefined>
  /** Returns whether the principal had no role on the ontology. */
  readonly addGrant: (ontologyRid: string, grant: GrantRecord) => Promise<boolean>
  /** Returns whether there was such a grant. */
  readonly removeGrant: (ontologyRid: string, principal: Principal) => Promise<boolean>
}

interface Change<T> {
  readonly attempt: Omit<Attempt, 'subject'>
  readonly work: (transaction: Transaction) => Promise<T>
  /** Whether anything was changed; if nothing was, nothing is recorded. */
  readonly isMade?: (result: T) => boolean
  /** Details that only the change itself shows, such as the id of what was created. */
  readonly found?: (result: T) => Pick<Attempt, 'details'>
}

export function accessChanges(
  {
    database,
    audits,
    observe,
    now,
    randomUuid,
  }: Pick<ManageService, 'database' | 'audits' | 'observe' | 'now' | 'randomUuid'>,
  subject: string,
): AccessChanges {
  const change = async <T>({
    attempt,
    work,
    isMade = () => true,
    found = () => ({}),
  }: Change<T>): Promise<T> => {
    const made = (result: T): Attempt => ({ subject, ...attempt, ...found(result) })
    const result = await notingUnknown(
      observe,
      () => ({ subject, ...attempt }),
      () =>
        database.transaction(async (transaction) => {
          const done = await work(transaction)
          if (audits && isMade(done))
            await recordChange(transaction, { id: randomUuid(), now: now(), ...made(done) })
          return done
        }),
    )
    if (isMade(result)) observe({ kind: 'change-made', ...made(result) })
    return result
  }

  return {
    createToken: (request) =>
      change({
        attempt: { action: 'createAccessToken' },
        work: (transaction) => createAccessToken(transaction, request, { now, randomUuid }),
        found: ({ accessTokenId }) => ({ details: { accessTokenId } }),
      }),
    revokeToken: (accessTokenId) =>
      change({
        attempt: { action: 'revokeAccessToken', details: { accessTokenId } },
        work: (transaction) => revokeAccessToken(transaction, accessTokenId, now()),
        isMade: (revoked) => revoked !== undefined,
      }),
    addGrant: (ontologyRid, grant) =>
      change({
        attempt: { action: 'putGrant', ontologyRid, details: grant },
        work: (transaction) => addGrant(transaction, ontologyRid, grant),
      }),
    removeGrant: (ontologyRid, principal) =>
      change({
        attempt: { action: 'removeGrant', ontologyRid, details: { principal } },
        work: (transaction) => removeGrant(transaction, ontologyRid, principal),
        isMade: (isRemoved) => isRemoved,
      }),
  }
}
