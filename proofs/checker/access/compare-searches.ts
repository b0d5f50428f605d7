import type { Comparison } from './comparison.ts'
import { post, searchPath } from './paths.ts'
import { followsLinks, orders, queries } from './queries.ts'
import { docs, references } from './two-types.ts'

const metrics = [
  { type: 'count' },
  { type: 'min', field: 'id' },
  { type: 'max', field: 'id' },
  { type: 'sum', field: 'n' },
  { type: 'exactDistinct', field: 'cat' },
]
const groupings: readonly (readonly object[] | undefined)[] = [
  undefined,
  [{ type: 'exact', field: 'cat' }],
  [{ type: 'exact', field: 'n', maxGroupCount: 3 }],
  [{ type: 'exact', field: 'id' }],
  [{ type: 'fixedWidth', field: 'n', fixedWidth: 5 }],
]

/** Everything that revision 2.0 answers about the objects that match a query. */
export async function compareSearches(compare: Comparison): Promise<void> {
  for (const [i, query] of queries.entries()) {
    const isEmpty = i === 0
    for (const order of isEmpty ? orders : [orders[i % orders.length], undefined])
      await compareWalks(compare, query, order)
    await compareNumbers(compare, query)
    await compareLinks(compare, query)
    if (followsLinks(query)) continue
    for (const partitionCount of [1, 3, 64])
      await compare.both(`${partitionCount} partitions of ${JSON.stringify(query)}`, (side) =>
        post(`${searchPath(docs(side))}/partitions`, { query, partitionCount }),
      )
  }
  await compareReferences(compare)
}

async function compareWalks(
  { walk }: Comparison,
  query: object,
  order: (typeof orders)[number],
): Promise<void> {
  for (const pageSize of [7, 1_000]) {
    for (const snapshot of [false, true]) {
      const name = `search ${JSON.stringify({ query, order, pageSize, snapshot })}`
      await walk(name, pageSize === 7 ? 12 : 3, (side, pageToken) =>
        post(`${searchPath(docs(side))}/search`, {
          query,
          pageSize,
          snapshot,
          ...(order && { orderBy: { fields: order } }),
          pageToken,
        }),
      )
    }
  }
}

async function compareNumbers({ both }: Comparison, query: object): Promise<void> {
  const name = JSON.stringify(query)
  await both(`count ${name}`, (side) => post(`${searchPath(docs(side))}/count`, { query }))
  await both(`stream ${name}`, (side) => post(`${searchPath(docs(side))}/export`, { query, pageSize: 50 }))
  for (const groupBy of groupings)
    await both(`aggregate ${name} ${JSON.stringify(groupBy)}`, (side) =>
      post(`${searchPath(docs(side))}/aggregate`, { query, groupBy, aggregation: metrics }),
    )
  await both(`count by a counted property ${name}`, (side) =>
    post(`${searchPath(docs(side))}/aggregate`, {
      query,
      groupBy: groupings[1],
      aggregation: [{ type: 'count' }],
    }),
  )
}

async function compareLinks({ walk }: Comparison, query: object): Promise<void> {
  for (const link of ['peer', 'peers', 'many', 'manies', 'references']) {
    for (const asked of ['search', 'pairs'])
      await walk(`${asked} along ${link} from ${JSON.stringify(query)}`, 5, (side, pageToken) =>
        post(`${searchPath(docs(side))}/links/${link}/${asked}`, { query, pageSize: 30, pageToken }),
      )
  }
}

/** A type without a policy, where the query looks at one with a policy. */
async function compareReferences({ walk, both }: Comparison): Promise<void> {
  for (const inner of queries) {
    const linked = { type: 'linked', link: 'doc', query: inner }
    for (const query of [linked, { type: 'not', value: linked }]) {
      const name = JSON.stringify(query)
      await walk(`search references ${name}`, 5, (side, pageToken) =>
        post(`${searchPath(references(side))}/search`, { query, pageSize: 20, pageToken }),
      )
      await both(`aggregate references ${name}`, (side) =>
        post(`${searchPath(references(side))}/aggregate`, {
          query,
          groupBy: [{ type: 'exact', field: 'tag' }],
          aggregation: [{ type: 'count' }],
        }),
      )
    }
  }
}
