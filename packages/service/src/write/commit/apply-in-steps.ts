// A commit on a Citus cluster. Citus does not send a statement that inserts in a WITH clause to the node of its tables: it spreads
// intermediate results over all nodes and commits in two phases, so one node that is down would stop every commit. So the parts of
// the statement of compile-commit.ts are sent one after another; each is executed whole on the one node that holds the ontology.
// The clock row is locked all the time, so nobody sees or changes anything in between.
import { invariant } from '../../base/errors/invariant.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { Row, Transaction } from '../../postgres/database.ts'
import { immutableCast } from '../../postgres/immutable-casts.ts'
import {
  lockClocks,
  sharedVersion,
  tableChanges,
  type CommitFacts,
  type GivenObjects,
} from './compile-commit.ts'
import { countedColumns } from '../../catalog/counts.ts'
import { checksumAfter } from '../../catalog/checksums.ts'
import { epochAfter } from '../../catalog/epochs.ts'
import { clockColumns, clockFrom, recordCommit, setClock, type Clock } from './record-commit.ts'

export interface Apply {
  readonly type: ObjectType
  readonly given: GivenObjects
  readonly facts: CommitFacts
}

interface Counts {
  readonly ended: number
  readonly deleted: number
  readonly put: number
  readonly given: number
  /** How much the sum of hashes has changed. */
  readonly hashed: bigint
}

/**
 * Applies one commit after another, each with the next version, or commits of several types with one version. It takes three
 * round trips for all of them: the clocks, the objects, and what was done. Returns the receipt of each.
 */
export async function applyInSteps(
  transaction: Transaction,
  commits: readonly Apply[],
  { oneVersion = false }: { readonly oneVersion?: boolean } = {},
): Promise<readonly Row[]> {
  const clocks = await readClocks(transaction, commits)
  const shared = sharedVersion([...clocks.values()].map(({ version }) => version))
  const clockOf = (type: ObjectType): Clock => {
    const clock = clocks.get(type.id)
    invariant(clock !== undefined, 'type-without-clock')
    return clock
  }
  const numbered = commits.map((commit) => {
    const clock = clockOf(commit.type)
    clock.version = oneVersion ? shared : clock.version + 1n
    clock.largest = Math.max(clock.largest, commit.given.largest)
    return { ...commit, version: String(clock.version), epoch: String(clock.epochs.epoch) }
  })
  const writing = numbered.map((commit) => writeObjects(transaction, commit))
  const time = readTime(transaction, commits)
  const counted = await firstFailure(writing, [time])
  const committedAt = await time
  const receipts = numbered.map(({ type, given, version }, i): Row => {
    const { ended, deleted, put, given: objects, hashed } = counted[i] ?? noCounts
    const clock = clockOf(type)
    clock.checksum = checksumAfter(clock.checksum, hashed)
    const before = clock.live
    clock.ended += BigInt(ended)
    // The rows of all these commits have the same epoch, so it can close only with the last of them.
    const isLast = numbered.findLastIndex((other) => other.type.id === type.id) === i
    if (isLast)
      clock.epochs = { ...clock.epochs, ...epochAfter(clock.epochs, { ended: clock.ended, live: before }) }
    clock.live += BigInt(put - ended)
    return {
      live_before: String(before),
      version,
      committed_at: committedAt,
      live: String(clock.live),
      created: String(put - ended + deleted),
      updated: String(ended - deleted),
      deleted: String(deleted),
      unchanged: String(objects - put - (given.replaces ? 0 : deleted)),
      epoch: String(clock.epochs.epoch),
      checksum: String(clock.checksum),
    }
  })
  await firstFailure([
    ...numbered.flatMap(({ type, facts }, i) =>
      recordCommit(type, facts, receipts[i] ?? {}).map((query) => transaction.count(query)),
    ),
    ...typesOf(commits).map((type) => transaction.count(setClock(type, clockOf(type)))),
  ])
  return receipts
}

/**
 * Waits for statements that were sent together, and for what was sent after them. PostgreSQL answers everything after a failed
 * statement with "transaction is aborted": the first failure is the cause.
 */
async function firstFailure<T>(
  sent: readonly Promise<T>[],
  after: readonly Promise<unknown>[] = [],
): Promise<readonly T[]> {
  const settled = await Promise.allSettled([...sent, ...after])
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return Promise.all(sent)
}

const noCounts: Counts = { ended: 0, deleted: 0, put: 0, given: 0, hashed: 0n }

/**
 * Keeps the ontology on its node until the transaction ends, as every statement does that changes rows, even none. To be sent
 * before rows are locked: a lock of rows alone stays behind if a move ends at that moment, and the statements that follow go to
 * the new node without it. And to be sent before any other change: a move locks the tables in the order in which they were
 * created, and the clock is before all others that a commit writes.
 */
export const keepInPlace = ({ tables }: ObjectType): SqlQuery => ({
  text: `update ${tables.clock} set live = live where object_type = 0`,
  values: [],
})

/** The clocks are read by a statement after the one that locks them: a statement does not see what was committed while it waited. */
async function readClocks(
  transaction: Transaction,
  commits: readonly Apply[],
): Promise<ReadonlyMap<number, Clock>> {
  const types = typesOf(commits)
  const [, , rows = []] = await firstFailure([
    ...types.slice(0, 1).map((type) => transaction.rows(keepInPlace(type))),
    transaction.rows(lockClocks(types)),
    transaction.rows(
      ofClocks(
        commits,
        ['object_type', 'revision', 'revision_tag', ...clockColumns].map((name) => `k.${name}`).join(', '),
      ),
    ),
  ])
  // Commits that go together may have been compiled for different revisions of the type.
  for (const { type } of commits) {
    const row = rows.find((found) => found['object_type'] === String(type.id))
    const isCurrent = row?.['revision'] === String(type.revision) && row['revision_tag'] === type.revisionTag
    if (!isCurrent) throw new StaleDefinition(type)
  }
  return new Map(rows.map((row) => [Number(row['object_type']), clockFrom(row)]))
}

/**
 * The time of the node that holds the ontology, once the objects are written: all commits here get it. It is not before that of
 * an earlier commit of any of the types.
 */
export async function readTime(
  transaction: Transaction,
  commits: readonly Pick<Apply, 'type'>[],
): Promise<string> {
  const before = `(select m.committed_at from ${commits[0]?.type.tables.commits} m where m.object_type = k.object_type and m.version = k.version)`
  const time = `max(greatest(clock_timestamp() at time zone 'UTC', ${before})) as committed_at`
  const rows = await transaction.rows(ofClocks(commits, time))
  return rows[0]?.['committed_at'] ?? ''
}

const typesOf = (commits: readonly Pick<Apply, 'type'>[]): readonly ObjectType[] => [
  ...new Map(commits.map(({ type }) => [type.id, type])).values(),
]

function ofClocks(commits: readonly Pick<Apply, 'type'>[], selected: string): SqlQuery {
  const types = typesOf(commits)
  const parameters = new Parameters()
  const ids = parameters.add(
    types.map(({ id }) => String(id)),
    'integer[]',
  )
  return {
    text: `select ${selected} from ${types[0]?.tables.clock} k where k.object_type = any(${ids})`,
    values: parameters.values,
  }
}

interface Numbered extends Pick<Apply, 'type' | 'given'> {
  readonly version: string
  readonly epoch: string
}

/** One part of the statement of compile-commit.ts, as a statement of its own. */
export function partAlone(
  part: 'remember' | 'count' | 'end' | 'remove' | 'put',
  { type, given, version, epoch }: Numbered,
): SqlQuery {
  const parameters = new Parameters()
  const source = given.source(parameters, immutableCast, part === 'put' || part === 'count')
  const names = {
    given: `(${source}) u`,
    // A parameter that a statement does not use has no type.
    version: part === 'remove' || part === 'count' ? '' : parameters.add(version, 'bigint'),
    epoch: part === 'end' ? parameters.add(epoch, 'bigint') : '',
    clock:
      part === 'count'
        ? ''
        : `(select object_type from ${type.tables.clock} where object_type = ${parameters.add(type.id, 'integer')}) k`,
  }
  return { text: tableChanges(type, given, names)[part], values: parameters.values }
}

async function writeObjects(transaction: Transaction, commit: Numbered): Promise<Counts> {
  const { type, given } = commit
  const hashed = sumHashes(transaction, type, given)
  const hasDeletes = given.replaces || given.counts === undefined || given.counts.deletes > 0
  const before = ['remember' as const, ...(countedColumns(type).length > 0 ? (['count'] as const) : [])].map(
    (part) => transaction.count(partAlone(part, commit)),
  )
  const counting = [
    transaction.count(partAlone('end', commit)),
    hasDeletes ? transaction.count(partAlone('remove', commit)) : Promise.resolve(0),
    transaction.count(partAlone('put', commit)),
    given.counts === undefined ? countGiven(transaction, given) : Promise.resolve(given.counts.objects),
  ]
  await firstFailure<unknown>([hashed, ...before, ...counting])
  const [ended = 0, deleted = 0, put = 0, objects = 0] = await Promise.all(counting)
  return { ended, deleted, put, given: objects, hashed: await hashed }
}

async function sumHashes(transaction: Transaction, type: ObjectType, given: GivenObjects): Promise<bigint> {
  const parameters = new Parameters()
  const source = `(${given.source(parameters, immutableCast)}) u`
  const names = { given: source, version: '', epoch: '', clock: '' }
  const { hashed } = tableChanges(type, given, names)
  const rows = await transaction.rows({ text: hashed, values: parameters.values })
  return BigInt(rows[0]?.['hashed'] ?? 0)
}

async function countGiven(transaction: Transaction, given: GivenObjects): Promise<number> {
  const parameters = new Parameters()
  const source = given.source(parameters, immutableCast, false)
  const rows = await transaction.rows({
    text: `select count(*) as count from (${source}) u`,
    values: parameters.values,
  })
  return Number(rows[0]?.['count'])
}
