// The commits of an object type, as its readers see them.
import type { OldestReadable, TypeCommit } from '@octavo/protocol'
import { wireTime } from '../../../base/value/column-time.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'
import { sourceOfCommit } from '../../../catalog/source-positions.ts'
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import type { RowSources } from './row-sources.ts'

export interface WantedCommits {
  /** Only commits with smaller versions; from the newest on when undefined. */
  readonly before: string | undefined
  readonly most: number
}

export interface TypeCommits {
  readonly commits: readonly TypeCommit[]
  readonly oldestReadable: OldestReadable
}

/**
 * Newest first. Version 0, the creation of the type, is not a commit. Whether counts may be shown depends on the definition, so the
 * statement checks that this is the current one.
 */
export async function readTypeCommits(
  { database }: RowSources,
  type: ObjectType,
  { before, most }: WantedCommits,
): Promise<TypeCommits> {
  const { clock, commits } = type.tables
  const rows = await database.holding(type.schema).rows({
    text: `select k.revision, k.revision_tag, k.floor, kept.committed_at as floor_at, m.version, m.committed_at, m.created, m.updated, m.deleted, m.unchanged, m.live, m.source, m.source_generation, m.source_position
from ${clock} k join ${commits} kept on kept.object_type = k.object_type and kept.version = k.floor
left join lateral (
  select version, committed_at, created, updated, deleted, unchanged, live, source, source_generation, source_position from ${commits}
  where object_type = k.object_type and version > 0 and version < coalesce($2::bigint, 9223372036854775807)
  order by version desc limit $3::bigint
) as m on true
where k.object_type = $1::integer order by m.version desc`,
    values: [type.id, before ?? null, most],
  })
  const [first] = rows
  if (first?.['revision'] !== String(type.revision) || first['revision_tag'] !== type.revisionTag)
    throw new StaleDefinition(type)
  const { policy } = type.definition
  return {
    oldestReadable: { version: first['floor'] ?? '', committedAt: wireTime(first['floor_at'] ?? '') },
    commits: rows
      .filter(({ version }) => version != null)
      .map((row) => ({
        version: row['version'] ?? '',
        committedAt: wireTime(row['committed_at'] ?? ''),
        // How many objects there are, and how many of them change, says something about those that a policy hides (P285).
        ...(policy === undefined && {
          created: Number(row['created']),
          updated: Number(row['updated']),
          deleted: Number(row['deleted']),
          unchanged: Number(row['unchanged']),
          totalCount: row['live'] ?? '',
        }),
        ...sourceOfCommit(row),
      })),
  }
}
