// Creates, lists and revokes access tokens. The database raises the version that tells every process about a change.
import type { AccessTokenRecord, AccessTokenRequest, CreatedAccessToken } from '@octavo/protocol'
import { hashOfToken, newAccessToken } from '../guard/auth/access-token.ts'
import { wireTime } from '../base/value/column-time.ts'
import type { SqlQuery } from '../base/sql-query.ts'
import type { Reader, Row } from '../postgres/database.ts'
import { textsFromJson } from './texts-from-json.ts'

export interface TokenSources {
  readonly now: () => Date
  readonly randomUuid: () => string
  readonly newToken?: () => string
}

/** The only time that the token itself is available: only its hash is stored. */
export async function createAccessToken(
  database: Reader,
  request: AccessTokenRequest,
  { now, randomUuid, newToken = newAccessToken }: TokenSources,
): Promise<CreatedAccessToken> {
  const accessToken = newToken()
  const { subject, groups = [], scopes, description = '', expiresAt = null } = request
  const rows = await database.rows({
    text: `insert into octavo.access_tokens (id, hash, subject, groups, scopes, description, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
    values: [
      randomUuid(),
      hashOfToken(accessToken),
      subject,
      groups,
      scopes,
      description,
      now().toISOString(),
      expiresAt,
    ],
  })
  return { ...recordOf(rows[0] ?? {}), accessToken }
}

/** All tokens, for an operator. */
export const listAccessTokens = async (database: Reader): Promise<readonly AccessTokenRecord[]> =>
  (await readAccessTokens(database)).map(({ record }) => record)

/** In the order of creation, after the given one or from the first. */
export async function readAccessTokens(
  database: Reader,
  { after, count }: { readonly after?: readonly (string | null)[] | undefined; readonly count?: number } = {},
): Promise<readonly ListedAccessToken[]> {
  const [time = null, id = null] = after ?? []
  const rows = await database.rows({
    // Qualified in `order by`: the column list has a text of the same name.
    text: `select ${columns}, created_at at time zone 'UTC' as position from octavo.access_tokens t
where $1::timestamp is null or (created_at, id) > ($1::timestamp at time zone 'UTC', $2::text)
order by t.created_at, t.id limit $3`,
    values: [time, id, count ?? null],
  })
  return rows.map((row) => ({ record: recordOf(row), position: [row['position'] ?? '', row['id'] ?? ''] }))
}

export interface ListedAccessToken {
  readonly record: AccessTokenRecord
  /** The token's position in the list, exact to the microsecond. */
  readonly position: readonly string[]
}

/** Returns undefined when there is no such token. */
export const readAccessToken = (database: Reader, id: string): Promise<AccessTokenRecord | undefined> =>
  tokenOf(database, id, { text: `select ${columns} from octavo.access_tokens where id = $1`, values: [id] })

/** Returns undefined when there is no such token. The time of the first revocation is kept. */
export const revokeAccessToken = (
  database: Reader,
  id: string,
  now: Date,
): Promise<AccessTokenRecord | undefined> =>
  tokenOf(database, id, {
    text: `update octavo.access_tokens set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${columns}`,
    values: [id, now.toISOString()],
  })

async function tokenOf(
  database: Reader,
  id: string,
  query: SqlQuery,
): Promise<AccessTokenRecord | undefined> {
  // No id contains NUL, and PostgreSQL accepts no text that does.
  const [row] = id.includes('\0') ? [] : await database.rows(query)
  return row && recordOf(row)
}

const utc = (column: string): string => `${column} at time zone 'UTC' as ${column}`

const columns = `id, subject, to_json(groups) as groups, to_json(scopes) as scopes, description,
  ${utc('created_at')}, ${utc('expires_at')}, ${utc('revoked_at')}`

const recordOf = (row: Row): AccessTokenRecord => ({
  accessTokenId: row['id'] ?? '',
  subject: row['subject'] ?? '',
  groups: [...textsFromJson(row['groups'])],
  scopes: [...textsFromJson(row['scopes'])],
  ...(row['description'] ? { description: row['description'] } : {}),
  createdAt: wireTime(row['created_at'] ?? ''),
  ...(row['expires_at'] ? { expiresAt: wireTime(row['expires_at']) } : {}),
  ...(row['revoked_at'] ? { revokedAt: wireTime(row['revoked_at']) } : {}),
})
