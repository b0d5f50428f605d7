import { bytesOf } from './answer-limit.ts'

const comma = 1

/** The first items, as many as fit into so many bytes of JSON, but at least one: otherwise no answer would get any further. */
export function fitItems<Item>(items: readonly Item[], mostBytes: number): readonly Item[] {
  let bytes = 0
  for (const [i, item] of items.entries()) {
    bytes += bytesOf(item) + comma
    if (bytes > mostBytes && i > 0) return items.slice(0, i)
  }
  return items
}
