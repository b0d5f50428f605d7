import type { ChangeDetails, Observation } from '../observe/observation.ts'

/** The observations that the audit records: who did what. */
export type AuditedObservation = Extract<
  Observation,
  { readonly kind: 'objects-read' | 'change-made' | 'change-unknown' }
>

/** A row of octavo.audit, without its time and id. */
export interface AuditRecord {
  readonly subject: string
  readonly action: string
  readonly ontology_rid: string | null
  readonly object_type: string | null
  readonly details: ChangeDetails | null
  readonly walk_id: string | null
  readonly mode: string | null
  readonly ended_by: string | null
  readonly objects: string | null
  readonly bytes: string | null
}

export const auditColumns = [
  'subject',
  'action',
  'ontology_rid',
  'object_type',
  'details',
  'walk_id',
  'mode',
  'ended_by',
  'objects',
  'bytes',
] as const satisfies readonly (keyof AuditRecord)[]

/**
 * Copies column by column, never the whole observation, so that a field added to an observation later does not end up in the
 * table.
 */
export function auditRecord(observation: AuditedObservation): AuditRecord {
  const { subject } = observation
  switch (observation.kind) {
    case 'objects-read':
      return {
        subject,
        action: observation.endpoint,
        ontology_rid: observation.ontologyRid,
        object_type: observation.objectType,
        details: null,
        walk_id: observation.walkId ?? null,
        mode: observation.mode,
        ended_by: observation.endedBy ?? null,
        objects: String(observation.objects),
        bytes: String(observation.bytes),
      }
    case 'change-made':
    case 'change-unknown':
      return {
        subject,
        action: observation.action,
        ontology_rid: observation.ontologyRid ?? null,
        object_type: observation.objectType ?? null,
        details: observation.details ?? null,
        walk_id: null,
        mode: null,
        ended_by: observation.kind === 'change-unknown' ? 'outcomeUnknown' : null,
        objects: observation.objects === undefined ? null : String(observation.objects),
        bytes: null,
      }
    default:
      return observation satisfies never
  }
}

/** Whether the record is written after the request. A change that was made is recorded with the change, in its transaction. */
export const isWrittenLater = (
  observation: Observation,
): observation is Exclude<AuditedObservation, { readonly kind: 'change-made' }> =>
  observation.kind === 'objects-read' || observation.kind === 'change-unknown'

const mostCharacters = 1_024

/**
 * The subject comes from an identity provider, and the principal of a grant from a caller. A text that PostgreSQL refuses would
 * also keep out all the other rows of its statement.
 */
export const storable = (text: string): string =>
  text.slice(0, mostCharacters).toWellFormed().replaceAll('\0', '\uFFFD')
