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
 * that snapshot. Each attempt is a separate transaction: an index build that begins while an attempt has its snapshot waits
 * until the transaction of the attempt ends, and the attempt may be waiting for the process that builds the index.
 */
const askAgainMs = 200

type Attempt<T> = { readonly taken: false } | { readonly taken: true; readonly result: T }

/**
 * The lock is held on a separate connection, which is closed afterwards: code that holds one connection of a pool and waits
 * for another may wait for ever. The transaction has neither a snapshot nor an id, so nothing waits for it, in particular no
 * index build.
 */
export function exclusivelyWith(openAlone: () => Database): Exclusively {
  const attempt = async <T>(
    database: Database,
    name: string,
    work: () => Promise<T>,
  ): Promise<Attempt<T>> => {
    let done: Attempt<T> = { taken: false }
    try {
      await database.transaction(async (transaction) => {
        // This transaction is idle for as long as the work takes, on purpose.
        await transaction.run('set local idle_in_transaction_session_timeout = 0')
        const rows = await transaction.rows({
          text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
          values: [name],
        })
        // A statement with parameters keeps its portal open, and with it its snapshot, until the next statement is sent.
        await transaction.run('select')
        if (rows[0]?.['taken'] === 't') done = { taken: true, result: await work() }
      })
    } catch (error) {
      // The connection may be lost while the work continues; if the work was done, that does not matter.
      if (!done.taken) throw error
    }
    return done
  }

  const locked = async <T>(name: string, waits: boolean, work: () => Promise<T>): Promise<T | undefined> => {
    const database = openAlone()
    try {
      for (;;) {
        const done = await attempt(database, name, work)
        if (done.taken) return done.result
        if (!waits) return undefined
        await sleep(askAgainMs)
      }
    } finally {
      await database.close()
    }
  }
  return Object.assign(
    async <T>(name: string, work: () => Promise<T>): Promise<T> => (await locked(name, true, work)) as T,
    { ifFree: <T>(name: string, work: () => Promise<T>) => locked(name, false, work) },
  )
}
