// How many batches are in flight at once: as many as the service keeps up with, and never two with the same object, because
// a later record of the file must be applied later.
import type { Batch } from './batch.ts'

export interface BatchWindow {
  /** Resolves when the batch may be sent; throws if a batch in flight has failed. */
  readonly roomFor: (batch: Batch) => Promise<void>
  /** Call it only after `roomFor` has resolved. */
  readonly start: (batch: Batch, send: () => Promise<void>) => void
  /** Resolves once no batch is in flight; throws the first failure. */
  readonly drained: () => Promise<void>
  /** Called when the service throttles. */
  readonly narrow: () => void
}

/** After this many batches in a row without throttling, the window grows by one. */
const widenAfter = 8

export function batchWindow(most: number): BatchWindow {
  const underWay = new Map<Batch, Promise<void>>()
  let room = most
  let sinceChange = 0
  let failure: { readonly error: unknown } | undefined

  const isDisjoint = (batch: Batch): boolean =>
    [...underWay.keys()].every((other) => areDisjoint(other, batch))

  const mustWait = (batch: Batch): boolean =>
    failure === undefined && (underWay.size >= room || !isDisjoint(batch))

  const settled = async (batch: Batch, sent: Promise<void>): Promise<void> => {
    try {
      await sent
      sinceChange += 1
      if (sinceChange >= widenAfter && room < most) {
        room += 1
        sinceChange = 0
      }
    } catch (error) {
      failure ??= { error }
    } finally {
      underWay.delete(batch)
    }
  }

  return {
    roomFor: async (batch) => {
      while (mustWait(batch)) await Promise.race(underWay.values())
      if (failure !== undefined) throw failure.error
    },
    start: (batch, send) => {
      underWay.set(batch, settled(batch, send()))
    },
    drained: async () => {
      await Promise.all(underWay.values())
      if (failure !== undefined) throw failure.error
    },
    narrow: () => {
      room = Math.max(1, room - 1)
      sinceChange = 0
    },
  }
}

function areDisjoint(one: Batch, other: Batch): boolean {
  for (const key of one.keys) if (other.keys.has(key)) return false
  return true
}
