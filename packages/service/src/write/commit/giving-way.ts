import { setImmediate as othersTurn } from 'node:timers/promises'

/** Lines differ a thousandfold in what they cost, so it is time that is shared out, not lines. */
const mostMilliseconds = 10

/** Asked between two pieces of work: a promise to wait for where others have waited long enough, most of the time nothing. */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now()
  const turnOfOthers = async (): Promise<void> => {
    await othersTurn()
    since = performance.now()
  }
  return () => (performance.now() - since < mostMilliseconds ? undefined : turnOfOthers())
}
