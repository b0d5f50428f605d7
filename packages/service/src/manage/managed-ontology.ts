import type { GrantRole, ManagedOntology, Rid } from '@octavo/protocol'
import type { Ontology } from '../catalog/ontology.ts'

/** An ontology as a caller with this role sees it. */
export const managedOntology = (
  { apiName, displayName, description, rid, apiFamilies }: Ontology,
  role: GrantRole,
): ManagedOntology => ({ apiName, displayName, description, rid: rid as Rid, apiFamilies, role })
