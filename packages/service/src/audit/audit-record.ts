import type { Observation } from '../observe/observation.ts'

/** The observations that say who did what. */
export type AuditedObservation = Extract<
  Observation,
  { readonly kind: 'objects-read' | 'change-made' | 'change-unknown' }
>

/** A row of octavo.audit, all but its time and id. */
export interface AuditRecord {
  readonly subject: string
  readonly action: string
  readonly ontology_rid: string | null
  readonly object_type: string | null
  readonly target: string | null
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
  'target',
  'walk_id',
  'mode',
  'ended_by',
  'objects',
  'bytes',
] as const satisfies readonly (keyof AuditRecord)[]

/** Column by column, never by copying what an observation has: what is added to one later does not end up in the table. */
export function auditRecord(observation: AuditedObservation): AuditRecord {
  const subject = storable(observation.subject)
  switch (observation.kind) {
    case 'objects-read':
      return {
        subject,
        action: observation.endpoint,
        ontology_rid: observation.ontologyRid,
        object_type: observation.objectType,
        target: null,
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
        target: observation.target === undefined ? null : storable(observation.target),
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

/** Those that are written behind the requests. A change that was made is written with the change, in its transaction. */
export const isWrittenLater = (
  observation: Observation,
): observation is Exclude<AuditedObservation, { readonly kind: 'change-made' }> =>
  observation.kind === 'objects-read' || observation.kind === 'change-unknown'

const mostCharacters = 1_024

/**
 * An identity provider names the subject, and a caller whom it grants something. A text that PostgreSQL refuses would keep
 * every row beside it out as well.
 */
export const storable = (text: string): string =>
  text.slice(0, mostCharacters).toWellFormed().replaceAll('\0', '\uFFFD')
