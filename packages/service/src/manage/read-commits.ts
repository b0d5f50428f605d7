import type { CommitRecord } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Reader } from '../postgres/database.ts'
import { wireTime } from '../base/value/column-time.ts'

/** Newest first, before a version or from the newest. Version 0, the creation of the type, is not a commit. */
export async function readCommits(
  reader: Reader,
  type: ObjectType,
  { before, count }: { readonly before: string | undefined; readonly count: number },
): Promise<readonly CommitRecord[]> {
  const rows = await reader.rows({
    text: `select version, committed_at, put, deleted, unchanged, live, idempotency_key
from ${type.tables.commits} where object_type = $1 and version > 0 and version < coalesce($2::bigint, 9223372036854775807)
order by version desc limit $3`,
    values: [type.id, before ?? null, count],
  })
  return rows.map((row) => ({
    version: row['version'] ?? '',
    committedAt: wireTime(row['committed_at'] ?? ''),
    put: Number(row['put']),
    deleted: Number(row['deleted']),
    unchanged: Number(row['unchanged']),
    live: row['live'] ?? '',
    ...(row['idempotency_key'] != null && { idempotencyKey: row['idempotency_key'] }),
  }))
}
