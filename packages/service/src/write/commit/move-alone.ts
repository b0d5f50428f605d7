// A batch of nothing but its source: the position moves, and no version is made. So a source in which nothing happens stays up to date.
import type { MovedSource } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import { Parameters } from '../../base/sql-query.ts'
import { wireTime } from '../../base/value/column-time.ts'
import type { Database, Transaction } from '../../postgres/database.ts'
import { hasState } from '../../postgres/sqlstate.ts'
import { keepInPlace } from './commit-statements.ts'
import { AlreadyApplied, compileMove, requireStep, type WantedMove } from './move-source.ts'

export async function moveAlone(database: Database, wanted: WantedMove): Promise<MovedSource> {
  const holder = database.holding(wanted.schema)
  try {
    try {
      return await holder.transaction(async (transaction) => {
        if (database.isCitus()) await transaction.rows(keepInPlace(wanted))
        return move(transaction, wanted)
      })
    } catch (error) {
      // Another request has begun the source at the same time: it is either this one or another writer.
      if (hasState(error, 'uniqueViolation')) await requireStep(holder, wanted)
      throw error
    }
  } catch (error) {
    if (!(error instanceof AlreadyApplied)) throw error
    invariant(!('version' in error.answer), 'move-alone-answered-as-a-batch')
    return error.answer
  }
}

async function move(transaction: Transaction, wanted: WantedMove): Promise<MovedSource> {
  const step = await requireStep(transaction, wanted, 'for update')
  const { schema, name, generation, position } = step
  // By itself: a cluster refuses a statement that takes the time while it writes.
  const [{ time = '' } = {}] = await transaction.rows({
    text: `select greatest(clock_timestamp() at time zone 'UTC', (select moved_at from ${schema}.sources where name = $1)) as time`,
    values: [name],
  })
  const parameters = new Parameters()
  const none = '0::bigint'
  const text = compileMove(
    step,
    {
      from: '(select 1) m',
      movedAt: parameters.add(time, 'timestamp'),
      version: 'null::bigint',
      counts: { created: none, updated: none, deleted: none, unchanged: none },
    },
    parameters,
  )
  await transaction.rows({ text, values: parameters.values })
  return { source: { name, generation, position }, committedAt: wireTime(time ?? ''), replayed: false }
}
