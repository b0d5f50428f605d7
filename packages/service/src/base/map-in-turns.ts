import { givingWay } from './giving-way.ts'

/** Like `map`, for many items: it gives way every few milliseconds, so that one long answer does not hold up the others. */
export async function mapInTurns<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made,
): Promise<readonly Made[]> {
  const made: Made[] = []
  const giveWay = givingWay()
  for (const item of items) {
    made.push(make(item))
    const turnOfOthers = giveWay()
    if (turnOfOthers !== undefined) await turnOfOthers
  }
  return made
}
