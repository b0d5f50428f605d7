// Who has which role on an ontology. The database raises the version that tells every process about a change.
import { grantRoles, type GrantRecord, type GrantRequest, type GrantRole } from '@octavo/protocol'
import { isPrincipalName } from '../guard/auth/principal-name.ts'
import type { Reader, Row } from '../postgres/database.ts'

export type Principal = GrantRequest['principal']

export interface ShownGrant {
  readonly ontologyRid: string
  readonly ontology: string
  readonly principalType: string
  readonly principalName: string
  readonly role: string
}

/** A principal has one role on an ontology: a new one replaces the previous one. */
export async function addGrant(
  database: Reader,
  ontologyRid: string,
  { principal, role }: GrantRequest,
): Promise<void> {
  await database.rows({
    text: `insert into octavo.grants (ontology_rid, principal_type, principal_name, role) values ($1, $2, $3, $4)
on conflict (ontology_rid, principal_type, principal_name) do update set role = excluded.role`,
    values: [ontologyRid, principal.type, principal.name, role],
  })
}

/** Returns the role that was removed; undefined where there was no such grant. */
export async function removeGrant(
  database: Reader,
  ontologyRid: string,
  { type, name }: Principal,
): Promise<GrantRole | undefined> {
  const rows = await database.rows({
    text: `delete from octavo.grants where ontology_rid = $1 and principal_type = $2 and principal_name = $3
returning role`,
    values: [ontologyRid, type, name],
  })
  return rows[0] && roleOf(rows[0])
}

export async function listGrants(database: Reader): Promise<readonly ShownGrant[]> {
  const rows = await database.rows({
    text: `select o.rid, o.api_name, g.principal_type, g.principal_name, g.role
from octavo.grants g join octavo.ontologies o on o.rid = g.ontology_rid
order by o.api_name, g.principal_type, g.principal_name`,
    values: [],
  })
  return rows.map((row) => ({
    ontologyRid: row['rid'] ?? '',
    ontology: row['api_name'] ?? '',
    principalType: row['principal_type'] ?? '',
    principalName: row['principal_name'] ?? '',
    role: row['role'] ?? '',
  }))
}

/** The grants of one ontology, after the given one or from the first; groups before subjects. */
export async function readGrants(
  database: Reader,
  ontologyRid: string,
  { after, count }: { readonly after: readonly (string | null)[] | undefined; readonly count: number },
): Promise<readonly GrantRecord[]> {
  const [type = '', name = ''] = after ?? []
  const rows = await database.rows({
    text: `select principal_type, principal_name, role from octavo.grants
where ontology_rid = $1 and (principal_type, principal_name) > ($2::text, $3::text)
order by principal_type, principal_name limit $4`,
    values: [ontologyRid, type, name, count],
  })
  return rows.map((row) =>
    grantRecord({
      principal: {
        type: row['principal_type'] === 'group' ? 'group' : 'subject',
        name: row['principal_name'] ?? '',
      },
      role: roleOf(row),
    }),
  )
}

/** A principal has one grant on an ontology, so the principal's name identifies the grant. */
export const grantRecord = ({ principal, role }: GrantRequest): GrantRecord => ({
  grantId: `${principal.type}:${principal.name}`,
  principal,
  role,
})

export function principalOfGrant(grantId: string): Principal | undefined {
  const [, type, name = ''] = /^(subject|group):(.+)$/s.exec(grantId) ?? []
  const isPrincipal = (type === 'subject' || type === 'group') && isPrincipalName(name)
  return isPrincipal ? { type, name } : undefined
}

const roleOf = (row: Row): GrantRole => grantRoles.find((role) => role === row['role']) ?? 'reader'
