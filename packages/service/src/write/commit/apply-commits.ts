// Runs the statements of commits (commit-statements.ts). On one PostgreSQL, commits of one type go in a single round trip.
import { invariant } from '../../base/errors/invariant.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { Database, Row, Transaction } from '../../postgres/database.ts'
import type { Commit, CommitFacts } from './commit-parts.ts'
import {
  inOneStatement,
  keepInPlace,
  lockClocks,
  readTime,
  recordCommit,
  writeObjects,
} from './commit-statements.ts'

/** Applies commits of one type, each with the next version; returns the receipt of each, undefined where its definition is stale. */
export async function applyCommits(
  database: Database,
  type: ObjectType,
  commits: readonly Commit[],
): Promise<readonly (Row | undefined)[]> {
  const holder = database.holding(type.schema)
  if (!database.isCitus()) {
    const [, ...results] = await holder.pipeline([lockClocks([type]), ...commits.map(inOneStatement)])
    return results.map(([receipt]) => receipt)
  }
  return holder.transaction(async (transaction) => {
    await lock(transaction, [type], true)
    const receipts: (Row | undefined)[] = []
    for (const commit of commits) {
      receipts.push(...(await applyLocked(transaction, [commit], { isCitus: true })))
    }
    return receipts
  })
}

export interface Together {
  readonly facts: CommitFacts
  readonly isCitus: boolean
}

/** Applies changes of several types in a transaction: they get one version and one time. Returns the receipt of each type. */
export async function applyTogether(
  transaction: Transaction,
  parts: readonly Pick<Commit, 'type' | 'given'>[],
  { facts, isCitus }: Together,
): Promise<readonly Row[]> {
  const versions = await lock(
    transaction,
    parts.map(({ type }) => type),
    isCitus,
  )
  const commits = parts.map((part, i) => ({
    ...part,
    facts: { ...facts, keyIsTaken: facts.keyIsTaken === true || i > 0 },
  }))
  const receipts = await applyLocked(transaction, commits, { isCitus, version: versionAfter(versions) })
  return receipts.map((receipt, i) => {
    if (receipt !== undefined) return receipt
    const type = parts[i]?.type
    invariant(type !== undefined, 'receipt-without-type')
    throw new StaleDefinition(type)
  })
}

/** Returns the newest versions of the types. */
async function lock(
  transaction: Transaction,
  types: readonly ObjectType[],
  isCitus: boolean,
): Promise<readonly bigint[]> {
  const [first] = types
  const keeping = isCitus && first !== undefined ? [transaction.rows(keepInPlace(first))] : []
  const clocks = (await allDone([...keeping, transaction.rows(lockClocks(types))])).at(-1) ?? []
  return clocks.map(({ version }) => BigInt(version ?? 0))
}

/** One more than the greatest, so that the versions of each type only increase. */
const versionAfter = (versions: readonly bigint[]): string =>
  String(versions.reduce((most, version) => (version > most ? version : most), 0n) + 1n)

/** The time is read when all objects are written, and then the commits are recorded. */
async function applyLocked(
  transaction: Transaction,
  commits: readonly Commit[],
  known: Parameters<typeof writeObjects>[1],
): Promise<readonly (Row | undefined)[]> {
  const writing = commits.flatMap((commit) => writeObjects(commit, known))
  const asking = readTime(commits.map(({ type }) => type))
  const rows = await allDone([...writing, asking].map((query) => transaction.rows(query)))
  const time = rows.at(-1)?.[0]?.['time'] ?? ''
  const recording = commits.map((commit) =>
    allDone(recordCommit(commit, known, time).map((query) => transaction.rows(query))),
  )
  return (await allDone(recording)).map((results) => results.at(-1)?.[0])
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
