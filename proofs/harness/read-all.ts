export async function readAll<Item>(walk: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const item of walk) items.push(item)
  return items
}
