// A server that is asked to stop what a connection is doing stops the statement that it is at. If it is between two of them, it does
// nothing, and says nothing. So it is asked again until whoever wanted that has an answer.
import type { PoolClient } from 'pg'
import type { Soon } from '../memory/soon.ts'
import { cancelQuery } from './cancel-query.ts'

export interface ClientCancels {
  /** At once, and again until the end. */
  readonly begin: (client: PoolClient) => void
  /** Is there when none is under way any more: until then, whatever is asked on the connection might be stopped. */
  readonly end: (client: PoolClient) => Soon<void>
}

const againMs = 250

interface Cancelling {
  underWay: number
  again?: NodeJS.Timeout
  ended?: () => void
}

export function clientCancels(): ClientCancels {
  const clients = new Map<PoolClient, Cancelling>()
  const send = async (client: PoolClient, cancelling: Cancelling): Promise<void> => {
    clearTimeout(cancelling.again)
    cancelling.underWay += 1
    await cancelQuery(client)
    cancelling.underWay -= 1
    if (cancelling.underWay > 0) return
    if (cancelling.ended === undefined) {
      cancelling.again = setTimeout(() => void send(client, cancelling), againMs).unref()
    } else cancelling.ended()
  }
  return {
    begin: (client) => {
      const cancelling = clients.get(client) ?? { underWay: 0 }
      clients.set(client, cancelling)
      void send(client, cancelling)
    },
    end: (client) => {
      const cancelling = clients.get(client)
      if (cancelling === undefined) return undefined
      clients.delete(client)
      clearTimeout(cancelling.again)
      if (cancelling.underWay === 0) return undefined
      const { promise, resolve } = Promise.withResolvers<void>()
      cancelling.ended = resolve
      return promise
    },
  }
}
