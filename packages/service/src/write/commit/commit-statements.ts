// How the parts of a commit (commit-parts.ts) reach PostgreSQL: as one statement, or each as a statement of its own. Either way they
// are one transaction, and another statement locks the clock row first: PostgreSQL takes a statement's snapshot of the data before it
// waits for a lock, so only a new statement sees everything that the previous writer committed.
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
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

/** Locks in a fixed order, so that two commits of the same types cannot deadlock. */
export function lockClocks(types: readonly ObjectType[]): SqlQuery {
  const parameters = new Parameters()
  const ids = types.map((type) => String(type.id))
  return {
    text: `select object_type, version from ${types[0]?.tables.clock} where object_type = any(${parameters.add(ids, 'integer[]')}) order by object_type for update`,
    values: parameters.values,
  }
}

/**
 * Keeps the ontology on its node of a cluster until the transaction ends, as every statement does that changes rows, even none. To
 * be sent before rows are locked: a lock of rows alone stays behind if a move ends at that moment, and the statements that follow
 * go to the new node without it. And to be sent before any other change: a move locks the tables in the order in which they were
 * created, and the clock is before all others that a commit writes.
 */
export const keepInPlace = ({ tables }: ObjectType): SqlQuery => ({
  text: `update ${tables.clock} set live = live where object_type = 0`,
  values: [],
})

/** What is known of a commit before its statements are run. */
interface Known {
  /** That of types that are committed together; otherwise the one after the newest. */
  readonly version?: string
  readonly isCitus?: boolean
}

function clockBefore(type: ObjectType, version: string | undefined, parameters: Parameters): string {
  const { id, revision, revisionTag, tables } = type
  const next = version === undefined ? 'version + 1' : parameters.add(version, 'bigint')
  return `select object_type, ${next} as version, version as newest, live, epoch, epoch_rows, floor_epoch, checksum from ${tables.clock}
  where object_type = ${parameters.add(id, 'integer')} and revision = ${parameters.add(revision, 'integer')} and revision_tag = ${parameters.add(revisionTag, 'text')}`
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
    made: () => 'made m',
  }
  const outcome = outcomeOf({ type, given })
  const all = [
    ...objectParts({ type, given }),
    ...countParts(type),
    ...recordParts({ type, facts, outcome, largest: given.largest }),
  ]
  const [last, ...parts] = all.toReversed()
  const named = [
    `k as materialized (${clockBefore(type, undefined, parameters)})`,
    `u as materialized (${given.source(parameters, plainCast, true)})`,
    ...parts
      .toReversed()
      .map(
        ({ name, text, returning }) =>
          `${name} as (${text(relations, parameters)}${returning === undefined ? '' : ` returning ${returning}`})`,
      ),
  ]
  return {
    text: `with ${named.join(',\n')}\n${last?.text(relations, parameters)}`,
    values: parameters.values,
  }
}

/** The statements that write the objects of a commit. */
export const writeObjects = (commit: Pick<Commit, 'type' | 'given'>, known: Known): readonly SqlQuery[] =>
  objectParts(commit).map((part) => alone(part, commit, known))

/** The statements that record it, when its objects are written. */
export const recordCommit = (commit: Commit, known: Known, time: string): readonly SqlQuery[] => {
  const { type, given, facts } = commit
  const recorded = { type, facts, outcome: outcomeOf(commit), largest: given.largest, time }
  return [...countParts(type), ...recordParts(recorded)].map((part) => alone(part, commit, known))
}

/** The statements that record a commit whose outcome is known. */
export const recordKnown = (recorded: Recorded): readonly SqlQuery[] =>
  recordParts(recorded).map((part) => alone(part, recorded, {}))

/** A Citus cluster runs such a statement whole on the node that holds the ontology. */
function alone(
  { text }: Part,
  { type, given }: Pick<Commit, 'type'> & Partial<Pick<Commit, 'given'>>,
  { version, isCitus }: Known,
): SqlQuery {
  const parameters = new Parameters()
  const { changes, current, history, commits } = type.tables
  const clock = () => `(${clockBefore(type, version, parameters)}) k`
  const changed = () => `${clock()} join ${changes} ch on ch.version = k.version`
  const relations: Relations = {
    given: (withColumns) =>
      `(${given?.source(parameters, isCitus ? immutableCast : plainCast, withColumns)}) u`,
    clock,
    changed,
    now: () => `${changed()} left join ${current} p on p.pk = ch.pk and not ch.deleted`,
    // The rows that the commit has ended have the epoch of the clock. The limit makes PostgreSQL look up each of them, instead of
    // reading the whole epoch, and the order makes it use the primary key, instead of reading all earlier states of an object.
    before: () => `${changed()} left join lateral (
    select * from ${history} where epoch = k.epoch and pk = ch.pk and version_from >= ch.version_before
    order by version_from limit 1
  ) h on true`,
    // The version is a subquery: a join was planned, while the table was new, to look at all commits of the type.
    made: () =>
      `(select * from ${commits} where object_type = ${parameters.add(type.id, 'integer')} and version = (select k.version from ${clock()})) m`,
  }
  return { text: text(relations, parameters), values: parameters.values }
}

/** Reads the one time of commits of these types: no commit of any of them is later. */
export function readTime(types: readonly ObjectType[]): SqlQuery {
  const parameters = new Parameters()
  const { clock, commits } = types[0]?.tables ?? {}
  const ids = types.map(({ id }) => String(id))
  return {
    text: `select max(${timeAfterNewest(commits ?? '')}) as time
from (select object_type, version as newest from ${clock} where object_type = any(${parameters.add(ids, 'integer[]')})) k`,
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
