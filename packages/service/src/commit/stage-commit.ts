// A batch too large for one statement: its changes are staged first, chunk by chunk, and the clocks are touched when
// all of them are in the database. Memory stays that of one chunk; other writers wait only for the applying.
import type { CommitReceipt } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Row, Transaction } from '../postgres/database.ts'
import { Parameters, type SqlQuery } from '../sql/sql-query.ts'
import { sizeOf, type Change, type TypeChanges } from './change.ts'
import { applyStaged, lockClocks } from './compile-commit.ts'
import { changeArrays, changeColumns } from './change-arrays.ts'
import { commitFacts, receiptRow, sharedVersion, withReceipts, type CommitSources } from './write-commit.ts'

export interface StagedRequest {
  readonly chunks: AsyncIterable<TypeChanges> | Iterable<TypeChanges>
  /** The chunks are all that this type holds afterwards. */
  readonly replaces?: ObjectType
  /** The digest is asked for when all chunks are there: it may be that of what they were read from. */
  readonly idempotency?: { readonly key: string; readonly digest: () => string } | undefined
}

/** Other statements look up rows by index (postgres/session-settings.ts); here all rows of a table meet all of another. */
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
  const { replaces, idempotency } = request
  const facts = commitFacts(sources, undefined)
  const staged = new Map<number, StagedType>()
  // The tag is unlike any other, so it also names the batch.
  const stagedOf = (type: ObjectType): StagedType => {
    const known = staged.get(type.id) ?? { type, batch: `${facts.tag}.${type.id}`, rows: 0, largest: 0 }
    staged.set(type.id, known)
    return known
  }
  if (replaces !== undefined) stagedOf(replaces)
  const idempotencyNow = () => idempotency && { key: idempotency.key, digest: idempotency.digest() }
  const inOrder = () => [...staged.values()].toSorted((a, b) => a.type.id - b.type.id)

  return withReceipts(sources.database, {
    types: () => inOrder().map(({ type }) => type),
    idempotency: idempotencyNow,
    commit: () =>
      sources.database.transaction(async (transaction) => {
        for await (const { type, changes } of request.chunks) {
          const part = stagedOf(type)
          if (changes.length > 0) await stageChunk(transaction, part, changes)
        }
        const clocks = await transaction.rows(lockClocks(inOrder().map(({ type }) => type)))
        const shared = {
          ...facts,
          idempotency: idempotencyNow(),
          ...(staged.size > 1 && { version: sharedVersion(clocks) }),
        }
        // As long as its objects need: the time of a statement is for pages.
        await transaction.takeTime()
        if (replaces !== undefined) await transaction.run(wholeTables)
        const rows: Row[] = []
        for (const { type, batch, largest } of inOrder()) {
          const apply = applyStaged(type, batch, { ...shared, largest, replaces: type === replaces })
          rows.push(receiptRow(type, await transaction.rows(apply)))
          await transaction.rows({
            text: `delete from ${type.tables.staged} where batch = $1`,
            values: [batch],
          })
        }
        return rows
      }),
  })
}

async function stageChunk(transaction: Transaction, staged: StagedType, chunk: readonly Change[]) {
  await transaction.rows(insertChunk(staged, chunk))
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
select ${parameters.add(batch, 'text')}, ${names.join(', ')}, array[${columns.join(', ')}]::text[]
from unnest(${arrays.join(', ')}) as given(${[...names, ...columns].join(', ')})`,
    values: parameters.values,
  }
}
