// A batch too large for one statement. Its changes are staged first, chunk by chunk, and the clocks are locked only when all of
// them are in the database. Memory stays that of one chunk; other writers wait only while the batch is applied. No transaction
// is open while a client sends: each chunk is a statement of its own, and the row in staged_batches ties them together.
import type { CommitReceipt } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Reader, Row, Transaction } from '../../postgres/database.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { lastChanges, sizeOf, type Change, type TypeChanges } from './change.ts'
import { keepInPlace } from './apply-in-steps.ts'
import { givenStaged, type CommitFacts } from './compile-commit.ts'
import { changeArrays, changeColumns } from './change-arrays.ts'
import { applySeveral, commitFacts, schemaOf, withReceipts, type CommitSources } from './write-commit.ts'

export interface StagedRequest {
  readonly chunks: AsyncIterable<TypeChanges> | Iterable<TypeChanges>
  /** Set if the chunks are the whole contents of this type. */
  readonly replaces?: ObjectType
  /** The subject that makes the commit, for the audit. */
  readonly by?: string | undefined
  /** `digest` is called when all chunks have been read, as it may be the digest of the body that they come from. */
  readonly idempotency?: { readonly key: string; readonly digest: () => string } | undefined
}

/** Other statements look up rows by index (postgres/session-settings.ts); here a whole table is joined with a whole table. */
const wholeTables = [
  'plan_cache_mode = force_custom_plan',
  'enable_seqscan = on',
  'enable_hashjoin = on',
  'enable_sort = on',
  "work_mem = '64MB'",
]
  .map((setting) => `set local ${setting}`)
  .join('; ')

interface StagedType {
  readonly type: ObjectType
  readonly batch: string
  rows: number
  largest: number
}

export async function stageCommit(sources: CommitSources, request: StagedRequest): Promise<CommitReceipt> {
  const { database } = sources
  const { replaces, by, idempotency } = request
  const facts = commitFacts(sources, { by })
  const staged = new Map<number, StagedType>()
  // The tag is unique, so it also names the batch.
  const stagedOf = async (type: ObjectType): Promise<StagedType> => {
    if (staged.size === 0) await database.holding(type.schema).rows(nameBatch(type, facts.tag))
    const known = staged.get(type.id) ?? { type, batch: `${facts.tag}.${type.id}`, rows: 0, largest: 0 }
    staged.set(type.id, known)
    return known
  }
  const idempotencyNow = () => idempotency && { key: idempotency.key, digest: idempotency.digest() }
  const inOrder = () => [...staged.values()].toSorted((a, b) => a.type.id - b.type.id)
  const stageAll = async (): Promise<void> => {
    if (replaces !== undefined) await stagedOf(replaces)
    for await (const { type, changes } of request.chunks) {
      const part = await stagedOf(type)
      if (changes.length > 0) await stageChunk(database.holding(type.schema), part, lastChanges(changes))
    }
  }

  return withReceipts(database, {
    types: () => inOrder().map(({ type }) => type),
    idempotency: idempotencyNow,
    commit: async () => {
      try {
        await stageAll()
        return await database.holding(schemaOf(inOrder())).transaction((transaction) =>
          applyBatch(transaction, inOrder(), {
            replaces,
            facts: { ...facts, idempotency: idempotencyNow() },
            maximumSeconds: sources.batchSeconds,
            inSteps: database.isCitus(),
          }),
        )
      } catch (error) {
        // If this fails, pruning deletes the staged rows later.
        await giveUp(database.holding(schemaOf(inOrder())), facts.tag, inOrder()).catch(() => {})
        throw error
      }
    },
  })
}

interface BatchApplying {
  readonly replaces: ObjectType | undefined
  readonly facts: CommitFacts
  readonly maximumSeconds: number
  readonly inSteps: boolean
}

async function applyBatch(
  transaction: Transaction,
  parts: readonly StagedType[],
  { replaces, facts, maximumSeconds, inSteps }: BatchApplying,
): Promise<readonly Row[]> {
  const types = parts.map(({ type }) => type)
  // The batch may take as long as its objects need, and may wait as long as the batch before it needs: the statement time-out is
  // meant for pages.
  await transaction.takeTime()
  if (inSteps) for (const type of types.slice(0, 1)) await transaction.rows(keepInPlace(type))
  const named = await transaction.rows(takeName(types[0], facts.tag))
  // Pruning took the batch for abandoned and deleted its row.
  if (named.length === 0) throw new ServiceError('BatchTimedOut', { maximumSeconds })
  if (replaces !== undefined) await transaction.run(wholeTables)
  const given = parts.map(({ type, batch, largest }) => ({
    type,
    given: givenStaged(type, { batch, largest, replaces: type === replaces }),
  }))
  const rows = await applySeveral(transaction, given, { facts, inSteps })
  for (const { type, batch } of parts) await transaction.rows(deleteStaged(type, batch))
  return rows
}

async function giveUp(database: Reader, batch: string, parts: readonly StagedType[]): Promise<void> {
  if (parts.length === 0) return
  await database.rows(takeName(parts[0]?.type, batch))
  for (const part of parts) await database.rows(deleteStaged(part.type, part.batch))
}

const nameBatch = ({ schema }: ObjectType, batch: string): SqlQuery => ({
  text: `insert into ${schema}.staged_batches (batch, begun_at) values ($1, now() at time zone 'UTC')`,
  values: [batch],
})

const takeName = (type: ObjectType | undefined, batch: string): SqlQuery => ({
  text: `delete from ${type?.schema}.staged_batches where batch = $1 returning batch`,
  values: [batch],
})

const deleteStaged = (type: ObjectType, batch: string): SqlQuery => ({
  text: `delete from ${type.tables.staged} where batch = $1`,
  values: [batch],
})

async function stageChunk(database: Reader, staged: StagedType, chunk: readonly Change[]) {
  await database.rows(insertChunk(staged, chunk))
  staged.rows += chunk.length
  staged.largest = chunk.reduce((most, change) => Math.max(most, sizeOf(change)), staged.largest)
}

function insertChunk({ type, batch, rows }: StagedType, chunk: readonly Change[]): SqlQuery {
  const parameters = new Parameters()
  const arrays = [
    parameters.add(
      chunk.map((_change, i) => String(rows + i)),
      'bigint[]',
    ),
    ...changeArrays(chunk, { key: 'text[]', columns: type.columns.map(() => 'text[]') }, parameters),
  ]
  const names = ['ordinal', ...changeColumns]
  const columns = type.columns.map((column) => column.name)
  return {
    text: `insert into ${type.tables.staged} (batch, ${names.join(', ')}, columns)
select ${parameters.add(batch, 'text')}, ${names.join(', ')}, case when not deleted then array[${columns.join(', ')}]::text[] end
from unnest(${arrays.join(', ')}) as given(${[...names, ...columns].join(', ')})`,
    values: parameters.values,
  }
}
