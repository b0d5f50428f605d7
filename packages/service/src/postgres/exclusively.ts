// Work that only one process does at a time, such as building an index. It may take hours, and the lock must end with its
// process: so the lock belongs to a connection, not to a row with a time in it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'

export interface Exclusively {
  /** Waits until no other process does work of this name. */
  <T>(name: string, work: () => Promise<T>): Promise<T>
  /** Does nothing if another process is doing it. */
  readonly ifFree: <T>(name: string, work: () => Promise<T>) => Promise<T | undefined>
}

/**
 * Polls, because waiting for the lock in the database would keep a snapshot, and a concurrent index build would in turn wait for
 * that snapshot.
 */
const askAgainMs = 200

/**
 * The lock is held on a connection of its own, which is closed afterwards: code that holds one connection of a pool and waits
 * for another may wait for ever. The transaction has neither a snapshot nor an id, so nothing waits for it, in particular no
 * index build.
 */
export function exclusivelyWith(openAlone: () => Database): Exclusively {
  const locked = async <T>(name: string, waits: boolean, work: () => Promise<T>): Promise<T | undefined> => {
    const database = openAlone()
    let done: { readonly result: T } | undefined
    try {
      await database.transaction(async (transaction) => {
        // This transaction is idle for as long as the work takes, on purpose.
        await transaction.run('set local idle_in_transaction_session_timeout = 0')
        for (;;) {
          const rows = await transaction.rows({
            text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
            values: [name],
          })
          // A statement with parameters keeps its portal open, and with it its snapshot, until the next statement is sent.
          await transaction.run('select')
          if (rows[0]?.['taken'] === 't') break
          if (!waits) return
          await sleep(askAgainMs)
        }
        done = { result: await work() }
      })
    } catch (error) {
      // The connection may be lost while the work goes on; if the work was done, that does not matter.
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
