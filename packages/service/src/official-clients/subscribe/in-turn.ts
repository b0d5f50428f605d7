// Work for the subscriptions of one caller is done one piece after another, each in a separate turn of the event loop, and its reads
// wait for their turn at the database as well (P392). However many subscriptions a caller has, others wait for one at most.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Admission } from '../../guard/admit/admission.ts'

/** Does the work after all that was to be done for this caller before. */
export type TakeTurn = <T>(subject: string, work: () => Promise<T>) => Promise<T>

export function callerTurns(): TakeTurn {
  const lasts = new Map<string, Promise<unknown>>()
  return async (subject, work) => {
    const turn = afterTurn(lasts.get(subject), work)
    const ended = turn.catch(() => {})
    lasts.set(subject, ended)
    try {
      return await turn
    } finally {
      if (lasts.get(subject) === ended) lasts.delete(subject)
    }
  }
}

async function afterTurn<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
  await before
  await nextTurn()
  return work()
}

/** Does the work for one after another, each in a separate turn of the event loop. */
export async function settledInTurn<Item, T>(
  items: readonly Item[],
  work: (item: Item) => Promise<T>,
): Promise<readonly PromiseSettledResult<T>[]> {
  const results: PromiseSettledResult<T>[] = []
  for (const item of items) {
    results.push(...(await Promise.allSettled([work(item)])))
    await nextTurn()
  }
  return results
}

export interface ReadingFor {
  readonly subject: string
  /** Aborts when nobody waits for it any more. */
  readonly signal: AbortSignal
}

/** Reads in the name of a caller, like a page (P197). */
export async function admitted<T>(
  { admission }: { readonly admission: Admission },
  { subject, signal }: ReadingFor,
  read: () => Promise<T>,
): Promise<T> {
  const reservation = await admission.reserve(subject, signal)
  try {
    return await read()
  } finally {
    reservation.release()
  }
}
