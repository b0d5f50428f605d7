import { grantRoles, type GrantRole } from '@octavo/protocol'
import type { AccessSource } from '../auth/access.ts'
import { rightsOfScopes } from '../auth/rights-of-scopes.ts'
import type { Reader } from '../postgres/database.ts'
import { textsFromJson } from './texts-from-json.ts'

export const accessSource = (reader: Reader): AccessSource => ({
  version: async () => {
    const rows = await reader.rows({ text: 'select version from octavo.access_version', values: [] })
    return rows[0]?.['version'] ?? ''
  },
  token: async (hash) => {
    const rows = await reader.rows({
      text: `select subject, to_json(groups) as groups, to_json(scopes) as scopes,
  extract(epoch from expires_at) * 1000 as expires_at
from octavo.access_tokens where hash = $1 and revoked_at is null`,
      values: [hash],
    })
    const row = rows[0]
    return (
      row && {
        caller: {
          subject: row['subject'] ?? '',
          groups: textsFromJson(row['groups']),
          rights: rightsOfScopes(textsFromJson(row['scopes'])),
          claims: { sub: row['subject'] ?? '', groups: textsFromJson(row['groups']) },
        },
        expiresAt: row['expires_at'] == null ? undefined : Number(row['expires_at']),
      }
    )
  },
  roles: async ({ subject, groups }) => {
    const rows = await reader.rows({
      text: `select ontology_rid, role from octavo.grants where principal_type = 'subject' and principal_name = $1
union all
select ontology_rid, role from octavo.grants where principal_type = 'group' and principal_name = any ($2::text[])`,
      values: [subject, groups],
    })
    const roles = new Map<string, GrantRole>()
    for (const row of rows) {
      const rid = row['ontology_rid'] ?? ''
      const role = grantRoles.find((role) => role === row['role'])
      const had = roles.get(rid)
      // The greatest of what it has itself and through its groups.
      if (role !== undefined && (had === undefined || grantRoles.indexOf(role) > grantRoles.indexOf(had))) {
        roles.set(rid, role)
      }
    }
    return roles
  },
})
