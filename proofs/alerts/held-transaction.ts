import type { Store } from '../../packages/service/test/inside.ts'

export interface HeldTransaction {
  readonly isHeld: () => boolean
  /** Runs the statement and keeps its locks. */
  readonly hold: (text: string) => Promise<void>
  readonly release: () => Promise<void>
}

/** One transaction at a time, left open as if by mistake. */
export function heldTransaction({ database }: Pick<Store, 'database'>): HeldTransaction {
  let held: { readonly end: () => void; readonly ended: Promise<void> } | undefined
  return {
    isHeld: () => held !== undefined,
    hold: (text) =>
      new Promise((resolve, reject) => {
        const { promise: until, resolve: end } = Promise.withResolvers<void>()
        const ended = database.transaction(async (transaction) => {
          // A condition may take longer to fire than a session of the service may be idle in a transaction.
          await transaction.run('set local idle_in_transaction_session_timeout = 0')
          await transaction.rows({ text, values: [] })
          resolve()
          await until
        })
        held = { end, ended }
        ended.catch(reject)
      }),
    release: async () => {
      const releasing = held
      held = undefined
      releasing?.end()
      await releasing?.ended
    },
  }
}
