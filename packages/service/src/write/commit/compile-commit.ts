// The statements of a commit. A statement of its own locks the clock row first: PostgreSQL takes a statement's snapshot of the
// data before it waits for a lock, so only a new statement sees everything that the previous writer committed.
import { storable } from '../../audit/audit-record.ts'
import { castType } from '../../catalog/column.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { sizeOf, type Change } from './change.ts'
import { changeArrays, changeColumns } from './change-arrays.ts'
import { compileChecksumAfter, hashColumnOf } from '../../catalog/checksums.ts'
import { addToCounts, compileCountedValues, countedColumns } from '../../catalog/counts.ts'
import { compileEpochAfter } from '../../catalog/epochs.ts'

export interface CommitFacts {
  readonly tag: string
  /** The subject that the audit names; without one, the audit has no row for this commit. */
  readonly by?: string | undefined
  readonly idempotency?: { readonly key: string; readonly digest: string } | undefined
  /** Set when several types are committed together, so that they share one version. */
  readonly version?: string | undefined
  /** The idempotency key is recorded: of types that are committed together, by the first of them. */
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

/** The version of commits of several types: one more than the greatest, so that the versions of each type only increase. */
export const sharedVersion = (versions: readonly bigint[]): bigint =>
  versions.reduce((most, version) => (version > most ? version : most), 0n) + 1n

/** What is applied to one type: a query for the given objects, and what is known of them. */
export interface GivenObjects {
  /** How many objects are given, and how many of them are deleted; undefined where the database has to count. */
  readonly counts?: { readonly objects: number; readonly deletes: number }
  /** Selects the key, whether it is deleted, and the contents of each object, each key once. */
  readonly source: (parameters: Parameters, cast: Cast, withColumns?: boolean) => string
  readonly largest: number
  /** The objects are many, and most of them may be unchanged. */
  readonly staged: boolean
  /** They are the whole contents of the type: all others are deleted. */
  readonly replaces: boolean
}

/** Converts a text to the type of a column. */
type Cast = (text: string, type: string) => string

const plainCast: Cast = (text, type) => `${text}::${type}`

export const givenChanges = (type: ObjectType, changes: readonly Change[]): GivenObjects => ({
  counts: {
    objects: changes.length,
    deletes: changes.filter(({ kind }) => kind === 'delete').length,
  },
  source: (parameters, cast, withColumns = true) => {
    const chosen = withColumns ? type.columns : []
    const arrays = changeArrays(
      changes,
      {
        key: castType(type.key.scalar, true),
        // An array of arrays must be rectangular, so each value of a many-valued column is sent as the text of its array.
        columns: chosen.map((column) => (column.many ? 'text[]' : castType(column.scalar, true))),
      },
      parameters,
    )
    const names = chosen.map((column) => column.name)
    const columns = chosen.map((column) =>
      column.many ? `${cast(column.name, castType(column.scalar, true))} as ${column.name}` : column.name,
    )
    return `select ${[...changeColumns, ...columns].join(', ')} from unnest(${arrays.join(', ')}) as given(${[...changeColumns, ...names].join(', ')})`
  },
  largest: changes.reduce((most, change) => Math.max(most, sizeOf(change)), 0),
  staged: false,
  replaces: false,
})

export const givenStaged = (
  type: ObjectType,
  {
    batch,
    largest,
    replaces,
  }: { readonly batch: string; readonly largest: number; readonly replaces: boolean },
): GivenObjects => ({
  source: (parameters, cast, withColumns = true) => {
    const columns = (withColumns ? type.columns : []).map(
      (column, i) => `${cast(`(columns[${i + 1}])`, castType(column.scalar, column.many))} as ${column.name}`,
    )
    const key = cast('pk', castType(type.key.scalar))
    // Where the same key occurs twice, the last change wins. In key order, so that neighbours are written next to each other.
    return `select distinct on (pk) ${[`${key} as pk`, 'deleted', 'scalars', 'others', ...columns].join(', ')} from ${type.tables.staged} where batch = ${parameters.add(batch, 'text')} order by pk, ordinal desc`
  },
  largest,
  staged: true,
  replaces,
})

/** The names that the statements which apply a commit give to its parts. */
interface Names {
  /** The given objects, as an item of FROM with the alias `u`. */
  readonly given: string
  readonly version: string
  /** The epoch of the rows that end. */
  readonly epoch: string
  /** An item of FROM with the alias `k` that has one row, or none if nothing may be written. */
  readonly clock: string
}

/** Whether two rows are different objects: everything else in a row is made from these two columns. */
export const differ = (one: string, other: string): string =>
  `(${one}.scalars <> ${other}.scalars or ${one}.others is distinct from ${other}.others)`

/** What happens to the tables of a type. Each part sees current as it was before: it is written last. */
export function tableChanges(type: ObjectType, { staged, replaces }: GivenObjects, names: Names) {
  const { current, history, changes, counts } = type.tables
  const { given, version, epoch, clock } = names
  const columns = type.columns.map((column) => column.name)
  const shared = ['pk', 'version_from', 'scalars', 'others', ...columns]
  const replaced = ['version_from', 'scalars', 'others', ...columns].map(
    (name) => `${name} = excluded.${name}`,
  )
  // Where many objects may be unchanged, they are filtered out beforehand: `on conflict` locks its row, and so writes to it,
  // even if nothing changes.
  const changed = staged
    ? `left join ${current} c on c.pk = u.pk where not u.deleted and (c.pk is null or ${differ('c', 'u')})`
    : 'where not u.deleted'
  const hash = hashColumnOf(type)
  const begins = `u.pk is not null and not u.deleted and (c.pk is null or ${differ('c', 'u')})`
  const ends = `c.pk is not null and (u.pk is null or u.deleted or ${differ('c', 'u')})`
  const both = `${replaces ? `${current} c full join ${given}` : `${given} left join ${current} c`} on u.pk = c.pk`
  const counted = countedColumns(type).flatMap(({ name }) => [
    `('${name}', u.${name}::text, case when ${begins} then 1 else 0 end)`,
    `('${name}', c.${name}::text, case when ${ends} then -1 else 0 end)`,
  ])
  return {
    /** Which objects change, each with the version of its state before; to be written before anything else is. */
    remember: `insert into ${changes} (version, pk, version_before, deleted)
  select ${version}, ${replaces ? 'coalesce(u.pk, c.pk), c.version_from, coalesce(u.deleted, true)' : 'u.pk, c.version_from, u.deleted'}
  from ${given} ${replaces ? 'full join' : 'left join'} ${current} c on c.pk = u.pk cross join ${clock}
  where ${replaces ? 'u.pk is null or ' : ''}case when u.deleted then c.pk is not null else c.pk is null or ${differ('c', 'u')} end`,
    /** How much the sum of hashes changes; to be read before anything is written. */
    hashed: `select coalesce(sum(case when ${begins} then u.${hash} else 0 end), 0)
  - coalesce(sum(case when ${ends} then c.${hash} else 0 end), 0) as hashed
  from ${both}`,
    /** How many objects more or fewer have each value; to be written before anything else is. */
    count: `insert into ${counts} as n (column_name, value, objects)
  select v.column_name, v.value, sum(v.change) from ${both}
  cross join lateral (values ${counted.join(', ')}) as v(column_name, value, change)
  where v.value is not null group by v.column_name, v.value having sum(v.change) <> 0
  order by v.column_name, v.value
  ${addToCounts}`,
    end: `insert into ${history} (${shared.join(', ')}, version_to, epoch)
  select ${shared.map((name) => `c.${name}`).join(', ')}, ${version}, ${epoch}
  from ${current} c ${replaces ? 'left join' : 'join'} ${given} on u.pk = c.pk cross join ${clock}
  where ${replaces ? 'u.pk is null or ' : ''}u.deleted or ${differ('c', 'u')}`,
    remove: replaces
      ? `delete from ${current} c using ${clock} where not exists (select from ${given} where u.pk = c.pk)`
      : `delete from ${current} c using ${given}, ${clock} where u.deleted and c.pk = u.pk`,
    put: `insert into ${current} as c (${shared.join(', ')})
  select ${['u.pk', version, 'u.scalars', 'u.others', ...columns.map((name) => `u.${name}`)].join(', ')}
  from ${given} cross join ${clock} ${changed}
  on conflict (pk) do update set ${replaced.join(', ')} where ${differ('c', 'excluded')}`,
  }
}

/**
 * Writes history, current, commit and clock in one statement: all its parts see the data as it was before. The time is taken
 * from the database's clock when the rows are written, and is never before that of the previous commit. From that time on, the
 * previous version is kept for the retention (P36). Its commit is a subquery: a join was planned, while the table was new, to look at all
 * commits of the type.
 */
export function applyGiven(type: ObjectType, given: GivenObjects, facts: CommitFacts): SqlQuery {
  const parameters = new Parameters()
  const { clock, commits } = type.tables
  const source = given.source(parameters, plainCast)
  const objectType = parameters.add(type.id, 'integer')
  const version = facts.version === undefined ? 'clock.version + 1' : parameters.add(facts.version, 'bigint')
  const changes = tableChanges(type, given, {
    given: 'u',
    version: 'k.version',
    epoch: 'k.epoch',
    clock: 'k',
  })
  const hash = hashColumnOf(type)
  const counted = countedColumns(type)
  const ofCounted = counted.map(({ name }) => `, ${name}`).join('')
  const counts =
    counted.length === 0
      ? ''
      : `, q as (
  insert into ${type.tables.counts} as n (column_name, value, objects)
  select column_name, value, sum(change) from (
    select v.column_name, v.value, 1 as change from p cross join ${compileCountedValues(type, 'p')}
    union all select v.column_name, v.value, -1 from h cross join ${compileCountedValues(type, 'h')}
  ) as changed
  where value is not null group by column_name, value having sum(change) <> 0
  order by column_name, value
  ${addToCounts}
)`
  // What ended and what was put also says which objects have changed, without another look at the table.
  const text = `
with k as (
  select ${version} as version, clock.live, clock.epoch, clock.epoch_rows, clock.floor_epoch,
    (select committed_at from ${commits} where object_type = ${objectType} and version = clock.version) as before,
    clock.checksum
  from ${clock} clock
  where clock.object_type = ${objectType} and clock.revision = ${parameters.add(type.revision, 'integer')} and revision_tag = ${parameters.add(type.revisionTag, 'text')}
), u as materialized (${source}
), h as (
  ${changes.end}
  returning pk, version_from, ${hash} as hash${ofCounted}
), d as (
  ${changes.remove} returning 1
), p as (
  ${changes.put}
  returning pk, ${hash} as hash${ofCounted}
), r as (
  insert into ${type.tables.changes} (version, pk, version_before, deleted)
  select k.version, coalesce(p.pk, h.pk), h.version_from, p.pk is null from h full join p on p.pk = h.pk cross join k
)${counts}, n as materialized (
  select (select count(*) from u) as given, (select count(*) from h) as ended,
    (select count(*) from d) as deleted, (select count(*) from p) as put,
    (select coalesce(sum(hash), 0) from p) - (select coalesce(sum(hash), 0) from h) as hashed
), s as materialized (
  select ${compileChecksumAfter('k.checksum', 'n.hashed')} as checksum from k cross join n
), e as materialized (
  select ${compileEpochAfter('n.ended')} from k cross join n
), t as materialized (
  select greatest(clock_timestamp() at time zone 'UTC', k.before) as committed_at from k cross join n
), m as (
  insert into ${commits} (object_type, version, committed_at, tag, live, created, updated, deleted, unchanged, idempotency_key, digest, epoch, checksum)
  select ${objectType}, k.version, t.committed_at, ${parameters.add(facts.tag, 'text')},
    k.live + n.put - n.ended, n.put - n.ended + n.deleted, n.ended - n.deleted, n.deleted, n.given - n.put${given.replaces ? '' : ' - n.deleted'},
    ${parameters.add(facts.idempotency?.key ?? null, 'text')}, ${parameters.add(facts.idempotency?.digest ?? null, 'text')}, e.epoch, s.checksum
  from k cross join n cross join t cross join e cross join s
  returning version, committed_at, live, created, updated, deleted, unchanged
)${takingKey(type, facts, parameters)}${auditing(type, facts, parameters)}
update ${clock} as clock
set version = m.version, live = m.live, largest = greatest(largest, ${parameters.add(given.largest, 'integer')}),
  epoch = e.epoch, epoch_rows = e.epoch_rows, checksum = s.checksum
from m cross join e cross join s where clock.object_type = ${objectType}
returning m.version, m.committed_at, m.created, m.updated, m.deleted, m.unchanged, (select k.live from k) as live_before`
  return { text, values: parameters.values }
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
  insert into ${schema}.audit (at, id, subject, action, object_type, details, objects)
  select t.committed_at, ${text(`${tag}.${id}`)}, ${text(storable(by))}, 'commit', ${text(apiName)}, jsonb_build_object('version', k.version::text), n.put + n.deleted
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
    text: `select version, committed_at, created, updated, deleted, unchanged, digest from ${type.tables.commits} where object_type = ${parameters.add(type.id, 'integer')} and idempotency_key = ${parameters.add(idempotencyKey, 'text')}`,
    values: parameters.values,
  }
}
