import { grantRoles, type GrantRole } from '@octavo/protocol'
import type { AccessSource, KnownToken } from '../guard/auth/access.ts'
import { rightsOfScopes } from '../guard/auth/rights-of-scopes.ts'
import { tokenLookups } from '../guard/auth/token-lookups.ts'
import type { Reader, Row } from '../postgres/database.ts'
import { textsFromJson } from './texts-from-json.ts'

export const accessSource = (reader: Reader): AccessSource => ({
  version: async () => {
    const rows = await reader.rows({ text: `select ${version} from octavo.access_version v`, values: [] })
    return versionOf(rows)
  },
  token: tokenLookups(async (hashes) => {
    const rows = await reader.rows({
      text: `select ${version}, t.hash, t.subject, to_json(t.groups) as groups, to_json(t.scopes) as scopes,
  extract(epoch from t.expires_at) * 1000 as expires_at
from octavo.access_version v left join octavo.access_tokens t on t.hash = any ($1::text[]) and t.revoked_at is null`,
      values: [hashes],
    })
    const found = rows.flatMap((row): [string, KnownToken][] =>
      row['hash'] == null ? [] : [[row['hash'], tokenOf(row)]],
    )
    return { version: versionOf(rows), value: new Map(found) }
  }),
  roles: async ({ subject, groups }) => {
    const rows = await reader.rows({
      text: `select ${version}, g.ontology_rid, g.role from octavo.access_version v left join (
  select ontology_rid, role from octavo.grants where principal_type = 'subject' and principal_name = $1
  union all
  select ontology_rid, role from octavo.grants where principal_type = 'group' and principal_name = any ($2::text[])
) as g on true`,
      values: [subject, groups],
    })
    const roles = new Map<string, GrantRole>()
    for (const row of rows) {
      const rid = row['ontology_rid'] ?? ''
      const role = grantRoles.find((role) => role === row['role'])
      const had = roles.get(rid)
      // The highest of the roles that the caller has itself and through its groups.
      if (role !== undefined && (had === undefined || grantRoles.indexOf(role) > grantRoles.indexOf(had))) {
        roles.set(rid, role)
      }
    }
    return { version: versionOf(rows), value: roles }
  },
})

const version = `concat(v.version, ' ', v.tag) as version`

const versionOf = (rows: readonly Row[]): string => rows[0]?.['version'] ?? ''

const tokenOf = (row: Row): KnownToken => ({
  caller: {
    subject: row['subject'] ?? '',
    groups: textsFromJson(row['groups']),
    rights: rightsOfScopes(textsFromJson(row['scopes'])),
    claims: { sub: row['subject'] ?? '', groups: textsFromJson(row['groups']) },
  },
  expiresAt: row['expires_at'] == null ? undefined : Number(row['expires_at']),
})
