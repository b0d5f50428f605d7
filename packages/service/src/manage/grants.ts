// Who has which role on an ontology. The database raises the version that tells every process about a change.
import { grantRoles, type GrantRecord, type GrantRole } from '@octavo/protocol'
import type { Reader, Row } from '../postgres/database.ts'

export type Principal = GrantRecord['principal']

export interface ShownGrant {
  readonly ontologyRid: string
  readonly ontology: string
  readonly principalType: string
  readonly principalName: string
  readonly role: string
}

/** A principal has one role on an ontology: a new one replaces the previous one. Returns whether it had none. */
export async function addGrant(
  database: Reader,
  ontologyRid: string,
  { principal, role }: GrantRecord,
): Promise<boolean> {
  const rows = await database.rows({
    text: `insert into octavo.grants (ontology_rid, principal_type, principal_name, role) values ($1, $2, $3, $4)
on conflict (ontology_rid, principal_type, principal_name) do update set role = excluded.role
returning xmax = 0 as created`,
    values: [ontologyRid, principal.type, principal.name, role],
  })
  return rows[0]?.['created'] === 't'
}

/** Returns whether there was such a grant. */
export async function removeGrant(
  database: Reader,
  ontologyRid: string,
  { type, name }: Principal,
): Promise<boolean> {
  const rows = await database.rows({
    text: `delete from octavo.grants where ontology_rid = $1 and principal_type = $2 and principal_name = $3
returning role`,
    values: [ontologyRid, type, name],
  })
  return rows.length > 0
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
  return rows.map((row) => ({
    principal: {
      type: row['principal_type'] === 'group' ? 'group' : 'subject',
      name: row['principal_name'] ?? '',
    },
    role: roleOf(row),
  }))
}

/** The role of one subject or group, without that of its groups; undefined where there is no such grant. */
export async function readGrant(
  database: Reader,
  ontologyRid: string,
  { type, name }: Principal,
): Promise<GrantRole | undefined> {
  const rows = await database.rows({
    text: `select role from octavo.grants where ontology_rid = $1 and principal_type = $2 and principal_name = $3`,
    values: [ontologyRid, type, name],
  })
  return rows[0] && roleOf(rows[0])
}

const roleOf = (row: Row): GrantRole => grantRoles.find((role) => role === row['role']) ?? 'reader'
