// Wakes many without holding the event loop, and each caller's first before anybody's second (P393).
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Sleeper {
  /** Who waits. */
  readonly subject: string
}

/** All that are woken at once do something in the same turn of the event loop. */
const atOnce = 100

export async function wakeFairly<One extends Sleeper>(
  all: Iterable<One>,
  wake: (one: One) => void,
): Promise<void> {
  let woken = 0
  for (const one of callersInTurn(all)) {
    if (woken === atOnce) {
      await nextTurn()
      woken = 0
    }
    wake(one)
    woken += 1
  }
}

function* callersInTurn<One extends Sleeper>(all: Iterable<One>): Generator<One> {
  const lines = new Set<Iterator<One>>()
  for (const line of Map.groupBy(all, ({ subject }) => subject).values()) lines.add(line.values())
  while (lines.size > 0) {
    for (const line of lines) {
      const next = line.next()
      if (next.done === true) lines.delete(line)
      else yield next.value
    }
  }
}
