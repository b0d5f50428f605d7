// The merges of a staged batch become puts of whole objects. This happens after the clock was locked, so no other writer can
// change the objects between being read here and being written: no update is lost.
import type { SqlQuery } from '../../base/sql-query.ts'
import { castType } from '../../catalog/column.ts'
import type { Row, Transaction } from '../../postgres/database.ts'
import { batchRefused, type BatchProblem } from './batch-problem.ts'
import type { Change, Merge } from './change.ts'
import { givingWay } from '../../base/giving-way.ts'
import { mergedWith, settle, type MergeOnto } from './merge-lines.ts'
import { isStagedMerge, stageChunk, type StagedType } from './staged-rows.ts'

/** So many rows are read at once, but no more bytes than this: an object may be much larger than what is merged into it. */
const mostRows = 500
const mostBytes = 8 * 1024 * 1024

/** Stages a put after the merges of each key, which then counts instead of them. */
export async function resolveMerges(transaction: Transaction, staged: StagedType): Promise<void> {
  const fetch = { text: `fetch ${await rowsAtOnce(transaction, staged)} from lines`, values: [] }
  const problems: BatchProblem[] = []
  let changes: Change[] = []
  let key: string | undefined
  let line: Change | Merge | MergeOnto | undefined
  const othersTurn = givingWay()
  const end = (): void => {
    if (line?.kind === 'merge-onto') settle(staged.type, line, { changes, problems })
  }

  await transaction.rows(declareLines(staged))
  for (let rows = await transaction.rows(fetch); rows.length > 0; rows = await transaction.rows(fetch)) {
    for (const row of rows) {
      await othersTurn()
      if (row['pk'] !== key) {
        end()
        key = row['pk'] ?? ''
        line = objectOf(key, row['stored_scalars'] ?? null, row['stored_others'] ?? null)
      }
      line = row['merges'] === 't' ? mergedWith(line, mergeOf(row)) : changeOf(row)
    }
    await stageChunk(transaction, staged, changes)
    changes = []
  }
  end()
  if (problems.length > 0) throw batchRefused(problems)
  await stageChunk(transaction, staged, changes)
  await transaction.run('close lines')
}

async function rowsAtOnce(transaction: Transaction, { type, largest }: StagedType): Promise<number> {
  const [clock] = await transaction.rows({
    text: `select largest from ${type.tables.clock} where object_type = $1`,
    values: [type.id],
  })
  const rowBytes = Math.max(1, largest + Number(clock?.['largest'] ?? 0))
  return Math.min(mostRows, Math.max(1, Math.floor(mostBytes / rowBytes)))
}

/** Each staged line of every key that has a merge, with the object as it is. */
function declareLines({ type, batch }: StagedType): SqlQuery {
  return {
    text: `declare lines no scroll cursor for
select s.pk, s.deleted, s.scalars, s.others, ${isStagedMerge('s.scalars')} as merges,
  c.scalars as stored_scalars, c.others as stored_others
from (
  select *, bool_or(${isStagedMerge('scalars')}) over (partition by pk order by ordinal rows between unbounded preceding and unbounded following) as merging
  from ${type.tables.staged} where batch = $1
) s left join ${type.tables.current} c on c.pk = s.pk::${castType(type.key.scalar)}
where s.merging order by s.pk, s.ordinal`,
    values: [batch],
  }
}

const objectOf = (key: string, scalars: string | null, others: string | null): Change =>
  scalars === null ? { kind: 'delete', key } : { kind: 'put', object: { key, scalars, others, columns: [] } }

const changeOf = (row: Row): Change =>
  objectOf(row['pk'] ?? '', row['deleted'] === 't' ? null : (row['scalars'] ?? null), row['others'] ?? null)

const mergeOf = (row: Row): Merge => ({
  kind: 'merge',
  key: row['pk'] ?? '',
  properties: row['scalars'] ?? '{}',
  line: Number(row['others']),
})
