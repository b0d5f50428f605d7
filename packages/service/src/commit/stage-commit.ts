// A batch too large for one statement: its changes are staged first, chunk by chunk, and the clock is touched when
// all of them are in the database. Memory stays that of one chunk; other writers wait only for the applying.
import type { CommitReceipt } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import { Parameters, type SqlQuery } from '../sql/sql-query.ts'
import { sizeOf, type Change } from './change.ts'
import { applyStaged, lockClocks, type CommitFacts } from './compile-commit.ts'
import { changeArrays, changeColumns } from './change-arrays.ts'
import { commitFacts, receiptRow, withReceipts, type CommitSources } from './write-commit.ts'

export interface StagedRequest {
  readonly type: ObjectType
  readonly chunks: AsyncIterable<readonly Change[]> | Iterable<readonly Change[]>
  readonly idempotency?: CommitFacts['idempotency']
}

export async function stageCommit(sources: CommitSources, request: StagedRequest): Promise<CommitReceipt> {
  const { type } = request
  const facts = commitFacts(sources, request.idempotency)
  // The tag is unlike any other, so it also names the batch.
  const batch = facts.tag
  return withReceipts(sources.database, [type], facts, () =>
    sources.database.transaction(async (transaction) => {
      let ordinal = 0
      let largest = 0
      for await (const chunk of request.chunks) {
        if (chunk.length === 0) continue
        await transaction.rows(stageChunk(type, { batch, firstOrdinal: ordinal, chunk }))
        ordinal += chunk.length
        largest = chunk.reduce((most, change) => Math.max(most, sizeOf(change)), largest)
      }
      await transaction.rows(lockClocks([type]))
      const applied = await transaction.rows(applyStaged(type, batch, { ...facts, largest }))
      await transaction.rows({ text: `delete from ${type.tables.staged} where batch = $1`, values: [batch] })
      return [receiptRow(type, applied)]
    }),
  )
}

interface Chunk {
  readonly batch: string
  readonly firstOrdinal: number
  readonly chunk: readonly Change[]
}

function stageChunk(type: ObjectType, { batch, firstOrdinal, chunk }: Chunk): SqlQuery {
  const parameters = new Parameters()
  const arrays = [
    parameters.add(
      chunk.map((_change, i) => String(firstOrdinal + i)),
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
