// The parts of a commit, in the order in which they are run: what is written where. The first one remembers which objects change, and
// the others start from there. How they reach PostgreSQL is in commit-statements.ts.
import { storable } from '../../audit/audit-record.ts'
import type { Parameters } from '../../base/sql-query.ts'
import { compileChecksumAfter, hashColumnOf } from '../../catalog/checksums.ts'
import { addToCounts, compileCountedValues, countedColumns } from '../../catalog/counts.ts'
import { compileEpochAfter } from '../../catalog/epochs.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { CommitCounts } from './commit-counts.ts'
import type { GivenObjects } from './given-objects.ts'
import { compileMove, type Move } from './move-source.ts'

export interface CommitFacts {
  readonly tag: string
  /** The subject that the audit names; without one, the audit has no row for this commit. */
  readonly by?: string | undefined
  readonly idempotency?: { readonly key: string; readonly digest: string } | undefined
  /** The idempotency key is recorded: of types that are committed together, by the first of them. */
  readonly keyIsTaken?: boolean
  /** Every commit of the batch says where its source is. */
  readonly source?: Move | undefined
}

export interface Commit {
  readonly type: ObjectType
  readonly given: GivenObjects
  readonly facts: CommitFacts
}

/** What the parts read, each as an item of FROM with this alias. */
export interface Relations {
  /** `u`: the objects of the commit, on request with their columns. */
  readonly given: (withColumns: boolean) => string
  /** `k`: the clock as it is before the commit, and the version that the commit makes. */
  readonly clock: () => string
  /** `ch`: the objects that change; beside it, `k`. */
  readonly changed: () => string
  /** `p`: the rows that are written. */
  readonly now: () => string
  /** `h`: the rows that have ended. */
  readonly before: () => string
  /** `ch`, and how much the sum of their hashes has changed. */
  readonly hashed: (hash: string) => { readonly from: string; readonly sum: string }
  /** `m`: the row of the commit; a statement that stands alone computes it again, which a cluster plans sooner than looking it up. */
  readonly made: (row: () => string) => string
}

export interface Part {
  readonly name: string
  readonly text: (relations: Relations, parameters: Parameters) => string
  /** What other parts read of it, if all are one statement. */
  readonly returning?: string
}

/** Whether two rows are different objects: everything else in a row is made from these two columns. */
export const differ = (one: string, other: string): string =>
  `(${one}.scalars <> ${other}.scalars or ${one}.others is distinct from ${other}.others)`

/**
 * Writes the objects. PostgreSQL cannot reorder an outer join, so each of these begins with the objects that change. As inner joins
 * they could begin with all objects of the type, because PostgreSQL may expect one version to have very many changes.
 */
export function objectParts({ type, given }: Pick<Commit, 'type' | 'given'>): readonly Part[] {
  const { current, history, changes } = type.tables
  const { replaces, counts } = given
  const contents = ['scalars', 'others', ...type.columns.map(({ name }) => name)]
  const shared = ['pk', 'version_from', ...contents]
  const returned = [hashColumnOf(type), ...countedColumns(type).map(({ name }) => name)].join(', ')
  // Unchanged objects are left out beforehand: `on conflict` locks its row, and so writes to it, even if nothing changes.
  const differs = `c.pk is null or ${differ('c', 'u')}`

  const changed: Part = {
    name: 'changed',
    returning: 'pk, version_before, deleted',
    text: (from) =>
      replaces
        ? `insert into ${changes} (version, pk, version_before, deleted)
select k.version, coalesce(u.pk, c.pk), c.version_from, coalesce(u.deleted, true)
from ${from.given(false)} full join ${current} c on c.pk = u.pk cross join ${from.clock()}
where u.pk is null or ${differs}`
        : `insert into ${changes} (version, pk, version_before, deleted)
select k.version, u.pk, c.version_from, u.deleted
from ${from.given(false)} left join ${current} c on c.pk = u.pk cross join ${from.clock()}
where case when u.deleted then c.pk is not null else ${differs} end`,
  }
  const ended: Part = {
    name: 'ended',
    returning: returned,
    text: (from) => `insert into ${history} (${shared.join(', ')}, version_to, epoch)
select ${shared.map((name) => `c.${name}`).join(', ')}, k.version, k.epoch
from ${from.changed()} left join ${current} c on c.pk = ch.pk where ch.version_before is not null`,
  }
  const removed: Part = {
    name: 'removed',
    text: (from) =>
      `delete from ${current} where pk = any(array(select ch.pk from ${from.changed()} where ch.deleted))`,
  }
  const put: Part = {
    name: 'put',
    returning: returned,
    text: (from) => `insert into ${current} (${shared.join(', ')})
select u.pk, k.version, ${contents.map((name) => `u.${name}`).join(', ')}
from ${from.given(true)} left join ${current} c on c.pk = u.pk cross join ${from.clock()}
where not u.deleted and (${differs})
on conflict (pk) do update set ${['version_from', ...contents].map((name) => `${name} = excluded.${name}`).join(', ')}`,
  }
  const mayDelete = replaces || counts === undefined || counts.deletes > 0
  return [changed, ended, ...(mayDelete ? [removed] : []), put]
}

/** How many objects more or fewer have each value of a counted property. */
export function countParts(type: ObjectType): readonly Part[] {
  if (countedColumns(type).length === 0) return []
  return [
    {
      name: 'counted',
      text: (from) => `insert into ${type.tables.counts} as n (column_name, value, objects)
select column_name, value, sum(change) from (
  select v.column_name, v.value, 1 as change from ${from.now()} cross join ${compileCountedValues(type, 'p')}
  union all select v.column_name, v.value, -1 from ${from.before()} cross join ${compileCountedValues(type, 'h')}
) v
where value is not null group by column_name, value having sum(change) <> 0
order by column_name, value
${addToCounts}`,
    },
  ]
}

/** A subquery with one row: how many objects were created, ..., and how much the sum of hashes has changed. */
export type Outcome = Part['text']

/** What the written objects say of it. */
export const outcomeOf =
  ({ type, given }: Pick<Commit, 'type' | 'given'>): Outcome =>
  (from, parameters) => {
    const objects =
      given.counts === undefined
        ? `(select count(*) from ${from.given(false)})`
        : parameters.add(given.counts.objects, 'bigint')
    const hashed = from.hashed(hashColumnOf(type))
    // The objects that a replacement deletes are not among those that it puts.
    const changed = `count(*) filter (where ${given.replaces ? 'not ch.deleted' : 'true'})`
    return `select count(*) filter (where ch.version_before is null) as created,
  count(ch.version_before) filter (where not ch.deleted) as updated,
  count(*) filter (where ch.deleted) as deleted,
  ${objects} - ${changed} as unchanged, ${hashed.sum} as hashed
  from ${hashed.from}`
  }

export interface Recorded extends Pick<Commit, 'type' | 'facts'> {
  /** The size of the largest object. */
  readonly largest: number
  readonly outcome: Outcome
  readonly time: (parameters: Parameters) => string
  /** The changes and the counts of values are known from this commit on, and not for earlier versions. */
  readonly forgetsEarlier?: boolean | undefined
  /** The position of the source is stored by one of the commits of a batch, with the counts of all of them; without them, with its own. */
  readonly moves?: { readonly counts?: CommitCounts } | undefined
}

const commitColumns =
  'object_type, version, committed_at, tag, live, created, updated, deleted, unchanged, idempotency_key, digest, epoch, checksum'

/**
 * Records a commit whose objects are written: the commit, its idempotency key, its audit and the clock. The last part returns the
 * receipt and the clock.
 */
export function recordParts({
  type,
  facts,
  largest,
  outcome,
  time,
  forgetsEarlier,
  moves,
}: Recorded): readonly Part[] {
  const { schema, apiName, tables } = type
  const { tag, by, idempotency, keyIsTaken, source } = facts
  const row = (from: Relations, parameters: Parameters): string => {
    const text = (value: string | null) => parameters.add(value, 'text')
    return `select k.object_type, k.version, ${time(parameters)} as committed_at, ${text(tag)} as tag,
  k.live + n.created - n.deleted as live, n.created, n.updated, n.deleted, n.unchanged,
  ${text(idempotency?.key ?? null)} as idempotency_key, ${text(idempotency?.digest ?? null)} as digest,
  ${compileEpochAfter('n.updated + n.deleted')} as epoch, ${compileChecksumAfter('k.checksum', 'n.hashed')} as checksum${source === undefined ? '' : `, ${text(source.name)} as source, ${parameters.add(source.generation, 'bigint')} as source_generation, ${text(source.position)} as source_position`}
from ${from.clock()} cross join lateral (${outcome(from, parameters)}) n`
  }
  const madeBy = (from: Relations, parameters: Parameters) => from.made(() => row(from, parameters))
  const made: Part = {
    name: 'made',
    returning: '*',
    text: (from, parameters) =>
      `insert into ${tables.commits} (${commitColumns}${source === undefined ? '' : ', source, source_generation, source_position'})\n${row(from, parameters)}`,
  }
  // If two commits use the same key, the second waits here for the first and then violates the key's uniqueness, even if the two
  // are for different types.
  const key: Part = {
    name: 'key',
    text: (from, parameters) =>
      `insert into ${schema}.idempotency_keys (key, used_at) select ${parameters.add(idempotency?.key ?? null, 'text')}, m.committed_at from ${madeBy(from, parameters)}`,
  }
  // A cluster takes only immutable functions here, which jsonb_build_object is not.
  const audited: Part = {
    name: 'audited',
    text: (from, parameters) => {
      const text = (value: string) => parameters.add(value, 'text')
      return `insert into ${schema}.audit (at, id, subject, action, object_type, details, objects)
select m.committed_at, ${text(`${tag}.${type.id}`)}, ${text(storable(by ?? ''))}, 'commit', ${text(apiName)},
  ('{"version": "' || m.version::text || '"}')::jsonb, m.created + m.updated + m.deleted from ${madeBy(from, parameters)}`
    },
  }
  const clocked: Part = {
    name: 'clocked',
    text: (from, parameters) => `update ${tables.clock} as clock
set version = m.version, live = m.live, largest = greatest(clock.largest, ${parameters.add(largest, 'integer')}), checksum = m.checksum,
  epoch = m.epoch, epoch_rows = case when m.epoch > clock.epoch then 0 else clock.epoch_rows + m.updated + m.deleted end${forgetsEarlier ? ', changes_from = m.version, counts_from = m.version' : ''}
from ${madeBy(from, parameters)} where clock.object_type = m.object_type
returning m.version, m.committed_at, m.live, m.created, m.updated, m.deleted, m.unchanged, m.epoch, clock.epoch_rows, m.checksum`,
  }
  const moved = (move: Move, { counts }: NonNullable<typeof moves>): Part => ({
    name: 'moved',
    text: (from, parameters) => {
      const count = (name: keyof CommitCounts) =>
        counts === undefined ? `m.${name}` : parameters.add(counts[name], 'bigint')
      return compileMove(
        move,
        {
          from: madeBy(from, parameters),
          movedAt: 'm.committed_at',
          version: 'm.version',
          counts: {
            created: count('created'),
            updated: count('updated'),
            deleted: count('deleted'),
            unchanged: count('unchanged'),
          },
        },
        parameters,
      )
    },
  })
  const takesKey = idempotency !== undefined && !keyIsTaken
  return [
    made,
    ...(takesKey ? [key] : []),
    ...(by === undefined ? [] : [audited]),
    ...(source === undefined || moves === undefined ? [] : [moved(source, moves)]),
    clocked,
  ]
}

/** A time that is taken now, but is never before that of the newest commit of the clock `k`. */
export const timeAfterNewest = (commits: string): string =>
  `greatest(clock_timestamp() at time zone 'UTC', (select c.committed_at from ${commits} c where c.object_type = k.object_type and c.version = k.newest))`
