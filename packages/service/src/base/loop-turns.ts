import { setImmediate as nextTurn } from 'node:timers/promises'

/** What it returns waits for a turn of the event loop that no other call has: between any two of them, everything else continues. */
export function loopTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => (last = last.then(() => nextTurn()))
}
