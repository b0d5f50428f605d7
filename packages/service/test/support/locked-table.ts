// A locked table simulates a slow database: each reader of it holds a place and a connection.
import type { ObjectType } from '../../src/catalog/object-type.ts'
import type { TestService } from './start-test-service.ts'

type Locking = Pick<TestService, 'store'>

export async function whileLocked<T>(
  { store }: Locking,
  { tables }: Pick<ObjectType, 'tables'>,
  work: () => Promise<T>,
): Promise<T> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = store.database.transaction(async (transaction) => {
    await transaction.run(`lock table ${tables.current} in access exclusive mode`)
    held.resolve()
    await released.promise
  })
  await held.promise
  try {
    return await work()
  } finally {
    released.resolve()
    await ended
  }
}

/** Counts the statements of the service that wait for a lock. */
export async function waitingForLock({ store }: Locking): Promise<number> {
  const rows = await store.database.rows({
    text: `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    values: [],
  })
  return rows.length
}
