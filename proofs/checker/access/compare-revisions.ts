import type { Comparison } from './comparison.ts'
import { get, listPath, post, v2Path } from './paths.ts'
import { docs } from './two-types.ts'

const parameters = [
  '',
  '&p.cat.eq=b',
  '&p.n.gte=20',
  '&p.tags.contains=secret',
  '&p.dept.eq=g2',
  '&orderBy=p.n:desc',
  '&snapshot=true',
]

/** Lists of revision 1.0. */
export async function compareRevision1({ walk, both, two }: Comparison): Promise<void> {
  for (const some of parameters) {
    await walk(`list ${some}`, 6, (side, pageToken) =>
      get(`${listPath(two.rid, docs(side))}?pageSize=13${some}${pageToken ? `&pageToken=${pageToken}` : ''}`),
    )
    const first = some.replace('&', '?')
    await both(`count of a list ${some}`, (side) => post(`${listPath(two.rid, docs(side))}/count${first}`))
  }
}

const conditions: readonly (object | undefined)[] = [
  undefined,
  { type: 'eq', field: 'cat', value: 'b' },
  { type: 'contains', field: 'tags', value: 'secret' },
  { type: 'startsWith', field: 'title', value: 'sec' },
]

/** Object sets and searches of revision v2. */
export async function compareRevisionV2(compare: Comparison): Promise<void> {
  for (const where of conditions) await compareSets(compare, where)
  await compare.both('count of v2', (side) => post(`${v2Path}/objects/${docs(side)}/count`))
}

async function compareSets({ walk, both }: Comparison, where: object | undefined): Promise<void> {
  const name = JSON.stringify(where)
  const base = (side: 'a' | 'b') => ({ type: 'base', objectType: docs(side) })
  const set = (side: 'a' | 'b') =>
    where === undefined ? base(side) : { type: 'filter', objectSet: base(side), where }
  const load = (objectSet: object, more: object) =>
    post(`${v2Path}/objectSets/loadObjects`, { objectSet, select: [], ...more })
  for (const order of [undefined, [{ field: 'n', direction: 'asc' }]])
    await walk(`load ${name} ${JSON.stringify(order)}`, 5, (side, pageToken) =>
      load(set(side), { pageSize: 20, ...(order && { orderBy: { fields: order } }), pageToken }),
    )
  await both(`aggregate of v2 ${name}`, (side) =>
    post(`${v2Path}/objectSets/aggregate`, {
      objectSet: set(side),
      aggregation: [{ type: 'count' }, { type: 'approximateDistinct', field: 'cat' }],
      groupBy: [],
    }),
  )
  await both(`search around ${name}`, (side) =>
    load({ type: 'searchAround', objectSet: set(side), link: 'peers' }, { pageSize: 500 }),
  )
  await both(`subtract ${name}`, (side) =>
    load({ type: 'subtract', objectSets: [base(side), set(side)] }, { pageSize: 500 }),
  )
  await walk(`search of v2 ${name}`, 4, (side, pageToken) =>
    post(`${v2Path}/objects/${docs(side)}/search`, {
      ...(where && { where }),
      pageSize: 30,
      select: [],
      pageToken,
    }),
  )
}
