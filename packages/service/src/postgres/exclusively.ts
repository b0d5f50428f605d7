// Work that only one process does at a time, such as building an index. It may take hours, and ends with its process:
// so the lock belongs to a connection, not to a row with a time in it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'

export interface Exclusively {
  /** Waits until nobody else does work of this name. */
  <T>(name: string, work: () => Promise<T>): Promise<T>
  /** Does nothing if somebody else does. */
  readonly ifFree: <T>(name: string, work: () => Promise<T>) => Promise<T | undefined>
}

/** Waiting in the database would keep a snapshot, which an index that is being built waits for in turn. */
const askAgainMs = 200

/**
 * On a connection of its own, which is closed afterwards: whoever holds a connection of a pool and waits for another one
 * may wait for ever. Its transaction has neither a snapshot nor an id, so it holds nothing back, least of all an index.
 */
export function exclusivelyWith(openAlone: () => Database): Exclusively {
  const locked = async <T>(name: string, waits: boolean, work: () => Promise<T>): Promise<T | undefined> => {
    const database = openAlone()
    let done: { readonly result: T } | undefined
    try {
      await database.transaction(async (transaction) => {
        // It is idle for as long as the work takes, on purpose.
        await transaction.run('set local idle_in_transaction_session_timeout = 0')
        for (;;) {
          const rows = await transaction.rows({
            text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
            values: [name],
          })
          // An answer with parameters stays open, and with it its snapshot, until something else is asked.
          await transaction.run('select')
          if (rows[0]?.['taken'] === 't') break
          if (!waits) return
          await sleep(askAgainMs)
        }
        done = { result: await work() }
      })
    } catch (error) {
      // The connection may be lost while the work goes on; then what counts is that it was done.
      if (done === undefined) throw error
    } finally {
      await database.close()
    }
    return done?.result
  }
  return Object.assign(
    async <T>(name: string, work: () => Promise<T>): Promise<T> => (await locked(name, true, work)) as T,
    { ifFree: <T>(name: string, work: () => Promise<T>) => locked(name, false, work) },
  )
}
