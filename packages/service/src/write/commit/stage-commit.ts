// A batch too large for one statement, or one that merges. Its lines are staged first, chunk by chunk, and the clocks are locked
// only when all of them are in the database. Memory stays that of one chunk; other writers wait only while the batch is applied.
// No transaction is open while a client sends: each chunk is one statement, and the row in staged_batches ties them together.
import type { CommitPreview, CommitReceipt } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Database, Reader, Row, Transaction } from '../../postgres/database.ts'
import type { SqlQuery } from '../../base/sql-query.ts'
import type { TypeLines } from './change.ts'
import { applyTogether, isOf } from './apply-commits.ts'
import type { CommitFacts } from './commit-parts.ts'
import { keepInPlace, lockClocks } from './commit-statements.ts'
import { givenStaged } from './given-objects.ts'
import { checkDeletions, deletionsOf, type DeletionLimit } from './deletion-limit.ts'
import { deleteConditions, requireConditions, stageConditions } from './conditions.ts'
import { foldLines } from './merge-lines.ts'
import { countsOf } from './commit-counts.ts'
import { countChanges } from './preview-commit.ts'
import { resolveMerges } from './resolve-merges.ts'
import { deleteStaged, nameBatch, stageChunk, takeName, type StagedType } from './staged-rows.ts'
import { requireStep, type WantedMove } from './move-source.ts'
import { commitFacts, schemaOf, withReceipts, type CommitSources } from './write-commit.ts'

export interface StagedLines {
  readonly chunks: AsyncIterable<TypeLines> | Iterable<TypeLines>
  /** Set if the chunks are the whole contents of this type. */
  readonly replaces?: ObjectType
  /** Without it, a replacement may delete everything. */
  readonly maxDeletions?: DeletionLimit | undefined
}

export interface StagedRequest extends StagedLines {
  /** The subject that makes the commit, for the audit. */
  readonly by?: string | undefined
  /** `digest` is called when all chunks have been read, as it may be the digest of the body that they come from. */
  readonly idempotency?: { readonly key: string; readonly digest: () => string } | undefined
  /** Where the source of the batch is; called when all chunks have been read, as its line may be the last. */
  readonly moving?: () => WantedMove | undefined
}

/** Other statements look up rows by index (postgres/session-settings.ts); here a whole table is joined with a whole table. */
export const wholeTables = [
  'plan_cache_mode = force_custom_plan',
  'enable_seqscan = on',
  'enable_hashjoin = on',
  'enable_sort = on',
  "work_mem = '64MB'",
]
  .map((setting) => `set local ${setting}`)
  .join('; ')

export async function stageCommit(sources: CommitSources, request: StagedRequest): Promise<CommitReceipt> {
  const { database } = sources
  const { by, idempotency, moving = () => undefined } = request
  const facts = commitFacts(sources, { by })
  const idempotencyNow = () => idempotency && { key: idempotency.key, digest: idempotency.digest() }
  const staging = stagingOf(sources, facts.tag, request)
  return withReceipts(database, {
    types: () => staging.parts().map(({ type }) => type),
    idempotency: idempotencyNow,
    moving,
    commit: () =>
      staging.stageAndThen(async (transaction, parts) => {
        const { replaces, maxDeletions } = request
        const reads = parts.some(({ hasMerges, hasConditions }) => hasMerges || hasConditions)
        const known = { ...facts, idempotency: idempotencyNow(), keyIsTaken: reads }
        if (reads) await readLocked(transaction, parts, { ...known, moving: moving() })
        if (replaces !== undefined) await transaction.run(wholeTables)
        const given = parts.map((part) => ({
          type: part.type,
          given: givenStaged(part.type, { ...part, replaces: part.type === replaces }),
        }))
        const together = { facts: known, isCitus: database.isCitus(), moving: moving() }
        const rows = await applyTogether(transaction, given, together)
        if (replaces !== undefined) checkDeletions(replaces, maxDeletions, deletionsOf(rows[0]))
        return rows
      }),
  })
}

/** What the batch would change now. It waits for no writer, makes none wait, and writes nothing but its staged lines. */
export async function previewCommit(sources: CommitSources, lines: StagedLines): Promise<CommitPreview> {
  const { replaces, maxDeletions } = lines
  const rows = await stagingOf(sources, sources.newTag(), lines).stageAndThen(async (transaction, parts) => {
    await requireConditions(transaction, parts)
    for (const part of parts) if (part.hasMerges) await resolveMerges(transaction, part)
    if (replaces !== undefined) await transaction.run(wholeTables)
    const counted: Row[] = []
    for (const part of parts) {
      const given = givenStaged(part.type, { ...part, replaces: part.type === replaces })
      counted.push(...(await transaction.rows(countChanges(part.type, given))))
    }
    return counted
  })
  const counts = countsOf(rows)
  const { updated, deleted, unchanged } = counts
  if (replaces !== undefined)
    checkDeletions(replaces, maxDeletions, { deleted, objects: updated + deleted + unchanged })
  return { dryRun: true, ...counts }
}

/** Compares conditions with the objects, and merges into them, as they are once no other writer can change them. */
async function readLocked(
  transaction: Transaction,
  parts: readonly StagedType[],
  { idempotency, moving }: Pick<CommitFacts, 'idempotency'> & { readonly moving: WantedMove | undefined },
): Promise<void> {
  const types = parts.map(({ type }) => type)
  const clocks = await transaction.rows(lockClocks(types))
  if (moving !== undefined) await requireStep(transaction, moving, 'for update')
  // Before anything is refused: a batch that was applied before is answered with its receipt, whatever has changed since.
  if (idempotency !== undefined) await transaction.rows(takeKey(types[0], idempotency.key))
  for (const [i, { type }] of parts.entries()) if (!isOf(type, clocks[i])) throw new StaleDefinition(type)
  await requireConditions(transaction, parts)
  for (const part of parts) if (part.hasMerges) await resolveMerges(transaction, part)
}

interface Staging {
  /** In the order in which their clocks are locked. */
  readonly parts: () => readonly StagedType[]
  /** Stages all lines, and deletes them in the transaction in which the work is done, or if it fails. */
  readonly stageAndThen: <T>(
    work: (transaction: Transaction, parts: readonly StagedType[]) => Promise<T>,
  ) => Promise<T>
}

/** The tag is unique, so it also names the batch. */
function stagingOf(sources: CommitSources, tag: string, { chunks, replaces }: StagedLines): Staging {
  const { database, batchSeconds: maximumSeconds } = sources
  const staged = new Map<number, StagedType>()
  const stagedOf = async (type: ObjectType): Promise<StagedType> => {
    if (staged.size === 0) await database.holding(type.schema).rows(nameBatch(type, tag))
    const batch = `${tag}.${type.id}`
    const known = staged.get(type.id) ?? {
      type,
      batch,
      rows: 0,
      largest: 0,
      hasMerges: false,
      hasConditions: false,
    }
    staged.set(type.id, known)
    return known
  }
  const stageAll = async (): Promise<void> => {
    if (replaces !== undefined) await stagedOf(replaces)
    for await (const { type, changes, conditions = [] } of chunks) {
      const of = await stagedOf(type)
      await stageChunk(database.holding(type.schema), of, foldLines(type, changes))
      await stageConditions(database.holding(type.schema), of, conditions)
    }
  }
  const parts = () => [...staged.values()].toSorted((a, b) => a.type.id - b.type.id)
  return {
    parts,
    stageAndThen: async (work) => {
      try {
        await stageAll()
        return await database.holding(schemaOf(parts())).transaction(async (transaction) => {
          const [first] = parts()
          // The batch may take as long as its objects need, and may wait as long as the batch before it needs: the statement
          // time-out is meant for pages.
          await transaction.takeTime()
          if (first !== undefined && database.isCitus()) await transaction.rows(keepInPlace(first.type))
          const named = await transaction.rows(takeName(first?.type, tag))
          // Pruning took the batch for abandoned and deleted its row.
          if (named.length === 0)
            throw new ServiceError('BatchTimedOut', { limit: 'batchSeconds', maximum: maximumSeconds })
          const result = await work(transaction, parts())
          await deleteAll(transaction, parts())
          return result
        })
      } catch (error) {
        // If this fails, pruning deletes the staged rows later.
        await giveUp(database, tag, parts()).catch(() => {})
        throw error
      }
    },
  }
}

async function giveUp(database: Database, tag: string, parts: readonly StagedType[]): Promise<void> {
  if (parts.length === 0) return
  const holder = database.holding(schemaOf(parts))
  await holder.rows(takeName(parts[0]?.type, tag))
  await deleteAll(holder, parts)
}

async function deleteAll(reader: Reader, parts: readonly StagedType[]): Promise<void> {
  for (const part of parts) {
    await reader.rows(deleteStaged(part))
    if (part.hasConditions) await reader.rows(deleteConditions(part))
  }
}

const takeKey = (type: ObjectType | undefined, key: string): SqlQuery => ({
  text: `insert into ${type?.schema}.idempotency_keys (key, used_at) values ($1, now() at time zone 'UTC')`,
  values: [key],
})
