// Access tokens and grants, managed through the service, or directly on the database before any token exists.
import type { AccessTokenRecord, AccessTokenRequest, CreatedAccessToken, GrantRecord } from '@octavo/protocol'

export type Principal = GrantRecord['principal']

interface ShownGrant extends GrantRecord {
  /** The API name of the ontology. */
  readonly ontology: string
  readonly ontologyRid: string
}

/** `ontology` is an API name or a rid. Without one it is the only ontology there is; in `listGrants`, all of them. */
export interface AccessDoor {
  readonly createToken: (request: AccessTokenRequest) => Promise<CreatedAccessToken>
  readonly listTokens: () => Promise<readonly AccessTokenRecord[]>
  readonly revokeToken: (accessTokenId: string) => Promise<void>
  readonly addGrant: (ontology: string | undefined, grant: GrantRecord) => Promise<ShownGrant>
  readonly listGrants: (ontology: string | undefined) => Promise<readonly ShownGrant[]>
  /** The API name of the ontology. */
  readonly removeGrant: (ontology: string | undefined, principal: Principal) => Promise<string>
}
