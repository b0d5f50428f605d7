// Runs the statements of commits (commit-statements.ts). On one PostgreSQL, commits of one type go in a single round trip.
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { Database, Row, Transaction } from '../../postgres/database.ts'
import { countsOf } from './commit-counts.ts'
import type { Commit, CommitFacts } from './commit-parts.ts'
import { inOneStatement, keepInPlace, lockClocks, recordCommit, writeObjects } from './commit-statements.ts'
import { isInStep, lockSources, requireStep, type WantedMove } from './move-source.ts'

/**
 * Applies commits of one type, each with the next version; returns the receipt of each, undefined where its definition is stale or its
 * source has another position.
 */
export async function applyCommits(
  database: Database,
  type: ObjectType,
  commits: readonly Commit[],
): Promise<readonly (Row | undefined)[]> {
  const holder = database.holding(type.schema)
  const names = [...new Set(commits.flatMap(({ facts }) => facts.source?.name ?? []))]
  const lockingSources = names.length === 0 ? [] : [lockSources(type.schema, names)]
  if (!database.isCitus()) {
    const locking = [lockClocks([type]), ...lockingSources]
    const results = await holder.pipeline([...locking, ...commits.map(inOneStatement)])
    return results.slice(locking.length).map(([receipt]) => receipt)
  }
  return holder.transaction(async (transaction) => {
    let [clock] = await lock(transaction, [type], true)
    const [sources = []] = await allDone(lockingSources.map((query) => transaction.rows(query)))
    const positions = new Map(sources.map((row) => [row['name'], row]))
    const receipts: (Row | undefined)[] = []
    for (const commit of commits) {
      // They may have been compiled for different revisions of the type.
      const { source } = commit.facts
      const isAllowed = source === undefined || isInStep(source, positions.get(source.name))
      const [receipt] =
        isAllowed && isOf(commit.type, clock) ? await applyLocked(transaction, [commit], [clock], true) : []
      clock = { ...clock, ...receipt }
      if (receipt !== undefined && source !== undefined) {
        positions.set(source.name, { generation: String(source.generation), sort_key: source.sortKey })
      }
      receipts.push(receipt)
    }
    return receipts
  })
}

export interface Together {
  readonly facts: CommitFacts
  readonly isCitus: boolean
  /** The source is moved with the objects, if it is where the move begins. */
  readonly moving?: WantedMove | undefined
}

/** Applies changes of several types in a transaction: they get one version and one time. Returns the receipt of each type. */
export async function applyTogether(
  transaction: Transaction,
  parts: readonly Pick<Commit, 'type' | 'given'>[],
  { facts, isCitus, moving }: Together,
): Promise<readonly Row[]> {
  const clocks = await lock(
    transaction,
    parts.map(({ type }) => type),
    isCitus,
  )
  // Before a definition is found stale: a batch that was applied before is answered with its receipt, whatever has changed since.
  const source = moving && (await requireStep(transaction, moving, 'for update'))
  const commits = parts.map((part, i) => {
    if (!isOf(part.type, clocks[i])) throw new StaleDefinition(part.type)
    return { ...part, facts: { ...facts, source, keyIsTaken: facts.keyIsTaken === true || i > 0 } }
  })
  return applyLocked(transaction, commits, clocks, isCitus)
}

/** Returns the clocks of the types, whose order is that of their numbers. */
async function lock(
  transaction: Transaction,
  types: readonly ObjectType[],
  isCitus: boolean,
): Promise<readonly Row[]> {
  const [first] = types
  const keeping = isCitus && first !== undefined ? [transaction.rows(keepInPlace(first))] : []
  return (await allDone([...keeping, transaction.rows(lockClocks(types))])).at(-1) ?? []
}

/** Whether the type still has the definition that this process knows. */
export const isOf = ({ revision, revisionTag }: ObjectType, clock: Row | undefined): clock is Row =>
  clock?.['revision'] === String(revision) && clock['revision_tag'] === revisionTag

/**
 * Types that are committed together get one version, one more than the greatest of theirs, so that the versions of each type only
 * increase. Their time is taken when all objects are written, and then the commits are recorded.
 */
async function applyLocked(
  transaction: Transaction,
  commits: readonly Commit[],
  clocks: readonly Row[],
  isCitus: boolean,
): Promise<readonly Row[]> {
  const versions = clocks.map(({ version }) => BigInt(version ?? 0))
  const version = String(versions.reduce((most, each) => (each > most ? each : most), 0n) + 1n)
  const locked = commits.map((commit, i) => ({ commit, clock: clocks[i] ?? {}, version, isCitus }))
  const writing = locked.map(({ commit, ...known }) =>
    allDone(writeObjects(commit, known).map((query) => transaction.rows(query))),
  )
  const outcomes = (await allDone(writing)).map((results) => results.at(-1)?.[0] ?? {})
  // Of one form, so the latest is the greatest text.
  const time = outcomes.reduce(
    (latest, outcome) => (latest > (outcome['time'] ?? '') ? latest : (outcome['time'] ?? '')),
    '',
  )
  const recording = locked.map(({ commit: { given, ...commit }, ...known }, i) => {
    const moves = i === 0 ? { counts: countsOf(outcomes) } : undefined
    const recorded = { ...commit, moves, largest: given.largest, outcome: outcomes[i] ?? {}, time }
    return allDone(recordCommit(recorded, known).map((query) => transaction.rows(query)))
  })
  return (await allDone(recording)).map((results) => results.at(-1)?.[0] ?? {})
}

/**
 * Waits for statements that were sent together. PostgreSQL answers everything after a failed statement with "transaction is
 * aborted": the first failure is the cause.
 */
async function allDone<T>(sent: readonly Promise<T>[]): Promise<readonly T[]> {
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return Promise.all(sent)
}
