// Reads the audit of an ontology, newest first. Reads and grants are recorded in the registry, changes of objects and definitions in
// the schema of the ontology, which may be on another node: the two are merged here.
import type { AuditRecord } from '@octavo/protocol'
import { wireTime } from '../base/value/column-time.ts'
import type { Ontology } from '../catalog/ontology.ts'
import type { ChangeDetails } from '../observe/observation.ts'
import type { Database, Reader, Row } from '../postgres/database.ts'

interface AuditPosition {
  readonly at: string
  readonly id: string
}

export interface WantedAudit {
  readonly subject: string | undefined
  readonly objectType: string | undefined
  readonly before: AuditPosition | undefined
  readonly most: number
}

export interface FoundAudit {
  readonly records: readonly AuditRecord[]
  /** The last record of this page; undefined if nothing follows it. */
  readonly next: AuditPosition | undefined
}

/** So many records are looked at for one page: there is no index for each filter, because every read would have to write it. */
const mostLookedAt = 50_000

export async function readAudit(
  database: Database,
  ontology: Pick<Ontology, 'rid' | 'schema'>,
  wanted: WantedAudit,
): Promise<FoundAudit> {
  const sources = await Promise.all([
    look(
      database,
      { table: 'octavo.audit', where: 'ontology_rid = $5', values: [ontology.rid], more: registryColumns },
      wanted,
    ),
    look(
      database.holding(ontology.schema),
      { table: `${ontology.schema}.audit`, where: '$5::text is null', values: [null], more: [] },
      wanted,
    ),
  ])
  // Beyond the position that both have reached, one of them may have more.
  const reached = sources.flatMap(({ end }) => end ?? []).toSorted(newestFirst)[0]
  const all = sources
    .flatMap(({ rows }) => rows)
    .toSorted((a, b) => newestFirst(positionOf(a), positionOf(b)))
  const complete = all.filter((row) => reached === undefined || newestFirst(positionOf(row), reached) <= 0)
  const page = complete.slice(0, wanted.most)
  const last = page.at(-1)
  const next = complete.length > wanted.most && last !== undefined ? positionOf(last) : reached
  return { records: page.map(recordOf), next }
}

interface AuditSource {
  readonly table: string
  /** A condition with the parameter $5. */
  readonly where: string
  readonly values: readonly (string | null)[]
  readonly more: readonly string[]
}

const registryColumns = ['walk_id', 'mode', 'ended_by', 'bytes']

/** The rows that match, one more than wanted at most, and how far was looked; undefined if that is the end. */
async function look(
  reader: Reader,
  { table, where, values, more }: AuditSource,
  { subject, objectType, before, most }: WantedAudit,
): Promise<{ readonly rows: readonly Row[]; readonly end: AuditPosition | undefined }> {
  const start = [before?.at ?? 'infinity', before?.id ?? '']
  const [bound] = await reader.rows({
    text: `select at, id from ${table} where (at, id) < ($1::timestamp, $2::text) order by at desc, id desc offset ${mostLookedAt} limit 1`,
    values: start,
  })
  const rows = await reader.rows({
    text: `select at, id, subject, action, object_type, details, objects${more.map((name) => `, ${name}`).join('')} from ${table}
where (at, id) < ($1::timestamp, $2::text) and ($3::text is null or subject = $3) and ($4::text is null or object_type = $4) and ${where}
  and (at, id) >= ($7::timestamp, $8::text)
order by at desc, id desc limit $6::bigint`,
    values: [
      ...start,
      subject ?? null,
      objectType ?? null,
      ...values,
      most + 1,
      bound?.['at'] ?? '-infinity',
      bound?.['id'] ?? '',
    ],
  })
  const last = rows.at(-1)
  if (rows.length > most && last !== undefined) return { rows, end: positionOf(last) }
  return { rows, end: bound && positionOf(bound) }
}

const positionOf = (row: Row): AuditPosition => ({ at: row['at'] ?? '', id: row['id'] ?? '' })

/** Texts of timestamps, which all have the same form up to the fraction, are in the order of their times. */
const newestFirst = (a: AuditPosition, b: AuditPosition): number => {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1
  return a.id > b.id ? -1 : a.id < b.id ? 1 : 0
}

function recordOf(row: Row): AuditRecord {
  const text = (name: string, column: string) => (row[column] == null ? {} : { [name]: row[column] })
  const count = (name: string, column: string) => (row[column] == null ? {} : { [name]: Number(row[column]) })
  return {
    occurredAt: wireTime(row['at'] ?? ''),
    subject: row['subject'] ?? '',
    action: row['action'] ?? '',
    ...text('objectType', 'object_type'),
    ...(JSON.parse(row['details'] ?? '{}') as ChangeDetails),
    ...text('walkId', 'walk_id'),
    ...text('mode', 'mode'),
    ...text('endedBy', 'ended_by'),
    ...count('objectCount', 'objects'),
    ...count('byteCount', 'bytes'),
  }
}
