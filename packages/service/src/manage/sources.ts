// The sources of an ontology: which there are, how far each is, and forgetting one.
import type { Source } from '@octavo/protocol'
import { storable } from '../audit/audit-record.ts'
import { ServiceError } from '../base/errors/service-error.ts'
import { wireTime } from '../base/value/column-time.ts'
import { positionOf, readSource } from '../catalog/source-positions.ts'
import type { Ontology } from '../catalog/ontology.ts'
import type { Reader, Row } from '../postgres/database.ts'
import { notingUnknown } from '../write/audited-changes.ts'
import { keepInPlace } from '../write/commit/commit-statements.ts'
import type { ManageService } from './manage-service.ts'

/** In the order of their names. */
export async function listSources(
  reader: Reader,
  schema: string,
  after: string | undefined,
  count: number,
): Promise<readonly Source[]> {
  const rows = await reader.rows({
    text: `select * from ${schema}.sources where $1::text is null or name > $1 order by name limit $2::integer`,
    values: [after ?? null, count],
  })
  return rows.map(sourceOf)
}

export async function findSource(reader: Reader, schema: string, name: string): Promise<Source> {
  const [row] = name.includes('\0') ? [] : await reader.rows(readSource(schema, name))
  if (row === undefined) throw noSource(name)
  return sourceOf(row)
}

/** The next batch of this name begins a new source. Its objects stay. */
export async function forgetSource(
  {
    database,
    audits,
    observe,
    randomUuid,
  }: Pick<ManageService, 'database' | 'audits' | 'observe' | 'randomUuid'>,
  { schema, rid }: Ontology,
  { name, subject }: { readonly name: string; readonly subject: string },
): Promise<void> {
  const attempt = { subject, action: 'forgetSource', ontologyRid: rid, details: { source: name } } as const
  const isForgotten = await notingUnknown(
    observe,
    () => attempt,
    () =>
      database.holding(schema).transaction(async (transaction) => {
        if (database.isCitus()) await transaction.rows(keepInPlace({ schema }))
        const rows = await transaction.rows({
          text: `delete from ${schema}.sources where name = $1 returning name`,
          values: [name],
        })
        if (rows.length > 0 && audits) {
          await transaction.rows({
            text: `insert into ${schema}.audit (at, id, subject, action, details) values (now() at time zone 'UTC', $1, $2, $3, $4::jsonb)`,
            values: [randomUuid(), storable(subject), attempt.action, JSON.stringify(attempt.details)],
          })
        }
        return rows.length > 0
      }),
  )
  if (!isForgotten) throw noSource(name)
  observe({ kind: 'change-made', ...attempt })
}

const noSource = (source: string): ServiceError => new ServiceError('SourceNotFound', { source })

const sourceOf = (row: Row): Source => ({
  ...positionOf(row),
  order: row['position_order'] as Source['order'],
  movedAt: wireTime(row['moved_at'] ?? ''),
  ...(row['version'] != null && { version: row['version'] }),
})
