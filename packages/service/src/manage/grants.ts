// Who has which role on an ontology. The version that tells every process of a change is raised by the database.
import type { GrantRequest } from '@octavo/protocol'
import type { Reader } from '../postgres/database.ts'

export type Principal = GrantRequest['principal']

export interface ShownGrant {
  readonly ontologyRid: string
  readonly ontology: string
  readonly principalType: string
  readonly principalName: string
  readonly role: string
}

/** A principal has one role on an ontology: another one takes the place of the one it had. */
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

/** Whether there was such a grant. */
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
