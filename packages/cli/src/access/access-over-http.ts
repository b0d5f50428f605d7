import type { AccessTokenRecord, CreatedAccessToken, GrantRecord } from '@octavo/protocol'
import type { Connection } from '../connection/connection.ts'
import { visibleOntologies } from '../connection/find-ontology.ts'
import { requestPath } from '../connection/request-path.ts'
import type { AccessDoor, Principal } from './access-door.ts'
import { findOwnedOntology, orNeedsOntology } from './find-owned-ontology.ts'

export function accessOverHttp(connection: Connection): AccessDoor {
  const grantsOf = async ({ rid, apiName }: { readonly rid: string; readonly apiName: string }) => {
    const grants = await connection.allItems<GrantRecord>({
      path: requestPath`/manage/v1/ontologies/${rid}/grants`,
    })
    return grants.map(({ principal, role }) => ({ ontology: apiName, ontologyRid: rid, principal, role }))
  }
  return {
    createToken: (request) =>
      connection.json<CreatedAccessToken>({
        method: 'POST',
        path: requestPath`/manage/v1/accessTokens`,
        json: request,
        // Not retried: a retry could leave behind a second token that is never shown.
        retrySeconds: 0,
      }),
    listTokens: () => connection.allItems<AccessTokenRecord>({ path: requestPath`/manage/v1/accessTokens` }),
    revokeToken: async (id) => {
      await connection.json({ method: 'DELETE', path: requestPath`/manage/v1/accessTokens/${id}` })
    },
    addGrant: async (wanted, grant) => {
      const { rid, apiName } = await findOwnedOntology(connection, wanted)
      const { principal, role } = grant
      await connection.json({ method: 'PUT', path: grantPath(rid, principal), json: { role } })
      return { ...grant, ontology: apiName, ontologyRid: rid }
    },
    listGrants: async (wanted) => {
      if (wanted !== undefined) return grantsOf(await findOwnedOntology(connection, wanted))
      const owned = (await orNeedsOntology(visibleOntologies(connection))).filter(
        ({ role }) => role === 'owner',
      )
      return (await Promise.all(owned.map(grantsOf))).flat()
    },
    removeGrant: async (wanted, principal) => {
      const { rid, apiName } = await findOwnedOntology(connection, wanted)
      await connection.json({ method: 'DELETE', path: grantPath(rid, principal) })
      return apiName
    },
  }
}

const grantPath = (rid: string, { type, name }: Principal): string =>
  requestPath`/manage/v1/ontologies/${rid}/grants/${`${type}s`}/${name}`
