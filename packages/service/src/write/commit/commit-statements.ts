// How the parts of a commit (commit-parts.ts) reach PostgreSQL: as one statement, or each as a statement by itself. Either way they
// are one transaction, and another statement locks the clock row first: PostgreSQL takes a statement's snapshot of the data before it
// waits for a lock, so only a new statement sees everything that the previous writer committed.
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Row } from '../../postgres/database.ts'
import { immutableCast } from '../../postgres/immutable-casts.ts'
import {
  countParts,
  objectParts,
  outcomeOf,
  recordParts,
  timeAfterNewest,
  type Commit,
  type Part,
  type Recorded,
  type Relations,
} from './commit-parts.ts'
import { plainCast } from './given-objects.ts'
import { compileInStep } from './move-source.ts'

/** Locks in a fixed order, so that two commits of the same types cannot deadlock. Returns the clock of each type as it is from then on. */
export function lockClocks(types: readonly ObjectType[]): SqlQuery {
  const parameters = new Parameters()
  const ids = types.map((type) => String(type.id))
  return {
    text: `select object_type, revision, revision_tag, ${clockColumns.join(', ')} from ${types[0]?.tables.clock} where object_type = any(${parameters.add(ids, 'integer[]')}) order by object_type for update`,
    values: parameters.values,
  }
}

const clockColumns = ['version', 'live', 'epoch', 'epoch_rows', 'floor_epoch', 'checksum'] as const

/**
 * Keeps the ontology on its node of a cluster until the transaction ends, as every statement does that changes rows, even none. To
 * be sent before rows are locked: a lock of rows alone stays behind if a move ends at that moment, and the statements that follow
 * go to the new node without it. And to be sent before any other change: a move locks the tables in the order in which they were
 * created, and the clock is before all others that a commit writes.
 */
export const keepInPlace = ({ schema }: Pick<ObjectType, 'schema'>): SqlQuery => ({
  text: `update ${schema}.clock set live = live where object_type = 0`,
  values: [],
})

/** What a commit of one type knows once the clock is locked. */
interface Locked {
  /** The clock row before the commit. */
  readonly clock: Row
  readonly version: string
  readonly isCitus?: boolean
}

/**
 * All parts as one statement, which is a fifth cheaper than one after another: the objects travel once, and every part reads what the
 * parts before it return. All of them see the tables as they were before. A Citus cluster would not send it to the node that holds the
 * ontology.
 */
export function inOneStatement({ type, given, facts }: Commit): SqlQuery {
  const parameters = new Parameters()
  const relations: Relations = {
    given: () => 'u',
    clock: () => 'k',
    changed: () => 'changed ch cross join k',
    now: () => 'put p',
    before: () => 'ended h',
    hashed: (hash) => ({
      from: 'changed ch',
      sum: `(select coalesce(sum(p.${hash}), 0) from put p) - (select coalesce(sum(h.${hash}), 0) from ended h)`,
    }),
    made: () => 'made m',
  }
  const outcome = outcomeOf({ type, given })
  const all = [
    ...objectParts({ type, given }),
    ...countParts(type),
    ...recordParts({
      type,
      facts,
      outcome,
      largest: given.largest,
      time: () => timeAfterNewest(type.tables.commits),
      moves: {},
    }),
  ]
  const named = [
    // No row, so that nothing is written, if the type has another definition by now, or the source another position.
    `k as materialized (
  select object_type, version + 1 as version, version as newest, live, epoch, epoch_rows, floor_epoch, checksum from ${type.tables.clock}
  where object_type = ${parameters.add(type.id, 'integer')} and revision = ${parameters.add(type.revision, 'integer')} and revision_tag = ${parameters.add(type.revisionTag, 'text')}${facts.source === undefined ? '' : ` and ${compileInStep(facts.source, parameters)}`}
)`,
    `u as materialized (${given.source(parameters, plainCast, true)})`,
    ...all
      .slice(0, -1)
      .map(
        ({ name, text, returning }) =>
          `${name} as (${text(relations, parameters)}${returning === undefined ? '' : ` returning ${returning}`})`,
      ),
  ]
  return {
    text: `with ${named.join(',\n')}\n${all.at(-1)?.text(relations, parameters)}`,
    values: parameters.values,
  }
}

/** The statements that write the objects of a commit; the last one counts what they have done and takes the time. */
export const writeObjects = (commit: Pick<Commit, 'type' | 'given'>, locked: Locked): readonly SqlQuery[] => {
  const readOutcome: Part = {
    name: 'outcome',
    text: (from, parameters) =>
      `select n.*, ${timeAfterNewest(commit.type.tables.commits)} as time from ${from.clock()} cross join lateral (${outcomeOf(commit)(from, parameters)}) n`,
  }
  const parts = [...objectParts(commit), ...countParts(commit.type), readOutcome]
  return parts.map((part) => alone(part, commit, locked))
}

/** Takes the time of a commit by itself: a cluster refuses a statement that takes it while it inserts. */
export const takeTime = (type: ObjectType, locked: Locked): SqlQuery =>
  alone(
    {
      name: 'time',
      text: (from) => `select ${timeAfterNewest(type.tables.commits)} as time from ${from.clock()}`,
    },
    { type },
    locked,
  )

interface Done extends Pick<Recorded, 'type' | 'facts' | 'largest' | 'forgetsEarlier' | 'moves'> {
  /** How many objects were created, ..., and how much the sum of hashes has changed, as `writeObjects` returns it. */
  readonly outcome: Row
  readonly time: string
}

/** The statements that record a commit when its objects are written. */
export const recordCommit = ({ outcome, time, ...commit }: Done, locked: Locked): readonly SqlQuery[] =>
  recordParts({
    ...commit,
    time: (parameters) => parameters.add(time, 'timestamp'),
    outcome: (_from, parameters) =>
      `select ${['created', 'updated', 'deleted', 'unchanged'].map((name) => `${parameters.add(outcome[name] ?? null, 'bigint')} as ${name}`).join(', ')}, ${parameters.add(outcome['hashed'] ?? null, 'numeric')} as hashed`,
  }).map((part) => alone(part, commit, locked))

/**
 * A Citus cluster runs such a statement whole on the node that holds the ontology. It plans every statement before it runs it, and looking
 * up the clock and the commit takes it longer than all else: so their values are parameters.
 */
function alone(
  { text }: Part,
  { type, given }: Pick<Commit, 'type'> & Partial<Pick<Commit, 'given'>>,
  { clock, version, isCitus }: Locked,
): SqlQuery {
  const parameters = new Parameters()
  const { changes, current, history } = type.tables
  const bigint = (value: string | null | undefined) => parameters.add(value ?? null, 'bigint')
  const clockBefore = () =>
    `(select ${parameters.add(type.id, 'integer')} as object_type, ${bigint(version)} as version, ${bigint(clock['version'])} as newest, ${bigint(clock['live'])} as live, ${bigint(clock['epoch'])} as epoch, ${bigint(clock['epoch_rows'])} as epoch_rows, ${bigint(clock['floor_epoch'])} as floor_epoch, ${parameters.add(clock['checksum'] ?? null, 'numeric')} as checksum) k`
  const changed = () => `${clockBefore()} join ${changes} ch on ch.version = k.version`
  const now = `left join ${current} p on p.pk = ch.pk and not ch.deleted`
  // The rows that the commit has ended have the epoch of the clock. The limit makes PostgreSQL look up each of them, instead of
  // reading the whole epoch, and the order makes it use the primary key, instead of reading all earlier states of an object.
  const before = `left join lateral (
    select * from ${history} where epoch = k.epoch and pk = ch.pk and version_from >= ch.version_before
    order by version_from limit 1
  ) h on true`
  const relations: Relations = {
    given: (withColumns) =>
      `(${given?.source(parameters, isCitus ? immutableCast : plainCast, withColumns)}) u`,
    clock: clockBefore,
    changed,
    now: () => `${changed()} ${now}`,
    before: () => `${changed()} ${before}`,
    hashed: (hash) => ({
      from: `${changes} ch ${now} ${before} where ch.version = k.version`,
      sum: `coalesce(sum(p.${hash}), 0) - coalesce(sum(h.${hash}), 0)`,
    }),
    made: (row) => `(${row()}) m`,
  }
  return { text: text(relations, parameters), values: parameters.values }
}

export function readReceipt(type: ObjectType, idempotencyKey: string): SqlQuery {
  const parameters = new Parameters()
  return {
    text: `select version, committed_at, created, updated, deleted, unchanged, digest, source, source_generation, source_position from ${type.tables.commits} where object_type = ${parameters.add(type.id, 'integer')} and idempotency_key = ${parameters.add(idempotencyKey, 'text')}`,
    values: parameters.values,
  }
}
