import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long a loop goes on before everything else has a turn. */
const mostMs = 10

/** Like `map`, for many items: it gives way every few milliseconds, so that one long answer does not hold up the others. */
export async function mapInTurns<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made,
): Promise<readonly Made[]> {
  const made: Made[] = []
  let since = performance.now()
  for (const item of items) {
    made.push(make(item))
    if (performance.now() - since < mostMs) continue
    await nextTurn()
    since = performance.now()
  }
  return made
}
