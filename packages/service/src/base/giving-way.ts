import { setImmediate as othersTurn } from 'node:timers/promises'

/** The cost of lines differs by a factor of a thousand, so the limit is a time, not a number of lines. */
const mostMilliseconds = 10

/**
 * To be called between two pieces of work. Returns a promise to await when the event loop has been blocked for long enough; most
 * of the time it returns nothing.
 */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now()
  const turnOfOthers = async (): Promise<void> => {
    await othersTurn()
    since = performance.now()
  }
  return () => (performance.now() - since < mostMilliseconds ? undefined : turnOfOthers())
}
