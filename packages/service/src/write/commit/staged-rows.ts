// The rows of a batch that is too large for one statement, until it is applied (stage-commit.ts).
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Reader } from '../../postgres/database.ts'
import { sizeOf, type Change, type Merge } from './change.ts'
import { changeArrays, changeColumns } from './change-arrays.ts'

export interface StagedType {
  readonly type: ObjectType
  readonly batch: string
  rows: number
  largest: number
  hasMerges: boolean
  hasConditions: boolean
}

/** No key occurs twice in the chunk; one that was staged before counts no more. */
export async function stageChunk(
  database: Reader,
  staged: StagedType,
  chunk: readonly (Change | Merge)[],
): Promise<void> {
  if (chunk.length === 0) return
  await database.rows(insertChunk(staged, chunk))
  staged.rows += chunk.length
  staged.largest = chunk.reduce((most, change) => Math.max(most, sizeOf(change)), staged.largest)
  staged.hasMerges ||= chunk.some(({ kind }) => kind === 'merge')
}

/** Whether a staged row is a merge: its scalars are a JSON object, those of a put are the members of one. */
export const isStagedMerge = (scalars: string): string => `starts_with(${scalars}, '{')`

export const nameBatch = ({ schema }: ObjectType, batch: string): SqlQuery => ({
  text: `insert into ${schema}.staged_batches (batch, begun_at) values ($1, now() at time zone 'UTC')`,
  values: [batch],
})

export const takeName = (type: ObjectType | undefined, batch: string): SqlQuery => ({
  text: `delete from ${type?.schema}.staged_batches where batch = $1 returning batch`,
  values: [batch],
})

export const deleteStaged = ({ type, batch }: StagedType): SqlQuery => ({
  text: `delete from ${type.tables.staged} where batch = $1`,
  values: [batch],
})

function insertChunk({ type, batch, rows }: StagedType, chunk: readonly (Change | Merge)[]): SqlQuery {
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
