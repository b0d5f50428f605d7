// The statements of a commit. A statement of its own locks the clock row first: PostgreSQL takes a statement's snapshot of the
// data before it waits for a lock, so only a new statement sees everything that the previous writer committed.
import { storable } from '../../audit/audit-record.ts'
import { castType } from '../../catalog/column.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { sizeOf, type Change } from './change.ts'
import { changeArrays, changeColumns } from './change-arrays.ts'

export interface CommitFacts {
  readonly tag: string
  /** The subject that the audit names; without one, the audit has no row for this commit. */
  readonly by?: string | undefined
  readonly idempotency?: { readonly key: string; readonly digest: string } | undefined
  /** Set when several types are committed together, so that they share one version. */
  readonly version?: string | undefined
  /** Set for all but the first of the types that are committed together: they share one idempotency key. */
  readonly keyIsTaken?: boolean
}

/** Locks in a fixed order, so that two commits of the same types cannot deadlock. */
export function lockClocks(types: readonly ObjectType[]): SqlQuery {
  const parameters = new Parameters()
  const ids = types.map((type) => String(type.id))
  return {
    text: `select object_type, version from ${types[0]?.tables.clock} where object_type = any(${parameters.add(ids, 'integer[]')}) order by object_type for update`,
    values: parameters.values,
  }
}

export function applyChanges(type: ObjectType, changes: readonly Change[], facts: CommitFacts): SqlQuery {
  const parameters = new Parameters()
  const arrays = changeArrays(
    changes,
    {
      key: castType(type.key.scalar, true),
      // An array of arrays must be rectangular, so each value of a many-valued column is sent as the text of its array.
      columns: type.columns.map((column) => (column.many ? 'text[]' : castType(column.scalar, true))),
    },
    parameters,
  )
  const names = type.columns.map((column) => column.name)
  const columns = type.columns.map((column) =>
    column.many ? `${column.name}::${castType(column.scalar, true)} as ${column.name}` : column.name,
  )
  const source = `select ${[...changeColumns, ...columns].join(', ')} from unnest(${arrays.join(', ')}) as given(${[...changeColumns, ...names].join(', ')})`
  const largest = changes.reduce((most, change) => Math.max(most, sizeOf(change)), 0)
  return { text: applyStatement(type, source, { facts, parameters, largest }), values: parameters.values }
}

export interface StagedFacts extends CommitFacts {
  readonly largest: number
  /** The staged objects are the whole contents of the type: all others are deleted. */
  readonly replaces: boolean
}

export function applyStaged(
  type: ObjectType,
  batch: string,
  { largest, replaces, ...facts }: StagedFacts,
): SqlQuery {
  const parameters = new Parameters()
  const columns = type.columns.map(
    (column, i) => `(columns[${i + 1}])::${castType(column.scalar, column.many)} as ${column.name}`,
  )
  // Where the same key occurs twice, the last change wins. In key order, so that neighbours are written next to each other.
  const source = `select distinct on (pk) ${[`pk::${castType(type.key.scalar)} as pk`, 'deleted', 'scalars', 'others', ...columns].join(', ')} from ${type.tables.staged} where batch = ${parameters.add(batch, 'text')} order by pk, ordinal desc`
  return {
    text: applyStatement(type, source, { facts, parameters, largest, staged: true, replaces }),
    values: parameters.values,
  }
}

interface ApplyParts {
  readonly facts: CommitFacts
  readonly parameters: Parameters
  readonly largest: number
  readonly staged?: boolean
  readonly replaces?: boolean
}

/**
 * Writes history, current, commit and clock in one statement: all its parts see the data as it was before. The time is taken
 * from the database's clock when the rows are written, and is never before that of the previous commit. From that time on, the
 * previous version is kept for the retention (P36).
 */
function applyStatement(
  type: ObjectType,
  source: string,
  { facts, parameters, largest, staged = false, replaces = false }: ApplyParts,
): string {
  const { current, history, clock, commits } = type.tables
  const objectType = parameters.add(type.id, 'integer')
  const names = type.columns.map((column) => column.name)
  const shared = ['pk', 'version_from', 'scalars', 'others', ...names]
  const replaced = ['version_from', 'scalars', 'others', ...names].map((name) => `${name} = excluded.${name}`)
  const differs = (other: string) =>
    `(c.scalars <> ${other}.scalars or c.others is distinct from ${other}.others)`
  const version = facts.version === undefined ? 'clock.version + 1' : parameters.add(facts.version, 'bigint')
  // Where many objects may be unchanged, they are filtered out beforehand: `on conflict` locks its row, and so writes to it,
  // even if nothing changes.
  const changed = staged
    ? `left join ${current} c on c.pk = u.pk where not u.deleted and (c.pk is null or ${differs('u')})`
    : 'where not u.deleted'
  return `
with k as (
  select ${version} as version, clock.live, before.committed_at as before
  from ${clock} clock left join ${commits} before
    on before.object_type = clock.object_type and before.version = clock.version
  where clock.object_type = ${objectType} and clock.revision = ${parameters.add(type.revision, 'integer')} and revision_tag = ${parameters.add(type.revisionTag, 'text')}
), u as materialized (${source}
), h as (
  insert into ${history} (${shared.join(', ')}, version_to)
  select ${shared.map((name) => `c.${name}`).join(', ')}, k.version
  from ${current} c ${replaces ? 'left join' : 'join'} u on u.pk = c.pk cross join k
  where ${replaces ? 'u.pk is null or ' : ''}u.deleted or ${differs('u')}
  returning 1
), d as (
  ${
    replaces
      ? `delete from ${current} c using k where not exists (select from u where u.pk = c.pk)`
      : `delete from ${current} c using u, k where u.deleted and c.pk = u.pk`
  } returning 1
), p as (
  insert into ${current} as c (${shared.join(', ')})
  select ${['u.pk', 'k.version', 'u.scalars', 'u.others', ...names.map((name) => `u.${name}`)].join(', ')}
  from u cross join k ${changed}
  on conflict (pk) do update set ${replaced.join(', ')} where ${differs('excluded')}
  returning 1
), n as materialized (
  select (select count(*) from u) as given, (select count(*) from h) as ended,
    (select count(*) from d) as deleted, (select count(*) from p) as put
), t as materialized (
  select greatest(clock_timestamp() at time zone 'UTC', k.before) as committed_at from k cross join n
), m as (
  insert into ${commits} (object_type, version, committed_at, tag, live, put, deleted, unchanged, idempotency_key, digest)
  select ${objectType}, k.version, t.committed_at, ${parameters.add(facts.tag, 'text')},
    k.live + n.put - n.ended, n.put, n.deleted, n.given - n.put${replaces ? '' : ' - n.deleted'},
    ${parameters.add(facts.idempotency?.key ?? null, 'text')}, ${parameters.add(facts.idempotency?.digest ?? null, 'text')}
  from k cross join n cross join t
  returning version, committed_at, live, put, deleted, unchanged
)${takingKey(type, facts, parameters)}${auditing(type, facts, parameters)}
update ${clock} as clock
set version = m.version, live = m.live, largest = greatest(largest, ${parameters.add(largest, 'integer')})
from m where clock.object_type = ${objectType}
returning m.version, m.committed_at, m.put, m.deleted, m.unchanged`
}

/**
 * If two commits use the same key, the second waits here for the first and then violates the key's uniqueness, even if the two
 * are for different types.
 */
function takingKey(
  { schema }: ObjectType,
  { idempotency, keyIsTaken }: CommitFacts,
  parameters: Parameters,
): string {
  if (idempotency === undefined || keyIsTaken) return ''
  return `, i as (
  insert into ${schema}.idempotency_keys (key, used_at)
  select ${parameters.add(idempotency.key, 'text')}, t.committed_at from t
)`
}

function auditing(
  { id, apiName, schema }: ObjectType,
  { tag, by }: CommitFacts,
  parameters: Parameters,
): string {
  if (by === undefined) return ''
  const text = (value: string) => parameters.add(value, 'text')
  return `, a as (
  insert into ${schema}.audit (at, id, subject, action, object_type, target, objects)
  select t.committed_at, ${text(`${tag}.${id}`)}, ${text(storable(by))}, 'commit', ${text(apiName)}, k.version::text, n.put + n.deleted
  from k cross join n cross join t
)`
}

/** Types that are committed together have the same time: the latest that was taken for one of them. */
export function shareTime(types: readonly ObjectType[], version: string): SqlQuery {
  const parameters = new Parameters()
  const commits = types[0]?.tables.commits
  const those = `object_type = any(${parameters.add(
    types.map((type) => String(type.id)),
    'integer[]',
  )}) and version = ${parameters.add(version, 'bigint')}`
  return {
    text: `with t as materialized (select max(committed_at) as committed_at from ${commits} where ${those})
update ${commits} m set committed_at = t.committed_at from t where ${those} returning m.committed_at`,
    values: parameters.values,
  }
}

export function readReceipt(type: ObjectType, idempotencyKey: string): SqlQuery {
  const parameters = new Parameters()
  return {
    text: `select version, committed_at, put, deleted, unchanged, digest from ${type.tables.commits} where object_type = ${parameters.add(type.id, 'integer')} and idempotency_key = ${parameters.add(idempotencyKey, 'text')}`,
    values: parameters.values,
  }
}
