// A body for each route, nearly right.
import type { Chance } from '../chances.ts'
import { fieldNames, type Queries } from './queries.ts'
import type { Known, Values } from './values.ts'

export interface Bodies {
  readonly json: (path: string) => unknown
  /** Lines of a batch. */
  readonly lines: () => string
}

const toolNames = [
  'search_objects',
  'count_by',
  'get_object',
  'describe_type',
  'list_types',
  'changes_since',
  'list_ontologies',
  'x',
]
const mcpMethods = [
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/list',
  'initialize',
  'ping',
  'x',
  'resources/list',
  'notifications/initialized',
]

export function bodiesByChance(
  { below, one }: Chance,
  values: Values,
  { query, where, objectSet, metric, group, field }: Queries,
  known: Known,
): Bodies {
  const { text, number, scalar, any, fraction } = values
  const token = (): string => (fraction(60) ? one(known.tokens) : text())
  /** A member in so many of a hundred cases. */
  const maybe = (ofHundred: number, name: string, make: () => unknown): object =>
    fraction(ofHundred) ? { [name]: make() } : {}
  const someOf = (least: number, most: number, make: () => unknown): readonly unknown[] =>
    Array.from({ length: least + below(most - least + 1) }, make)
  const paging = (): object => ({
    ...maybe(40, 'pageSize', number),
    ...maybe(20, 'pageToken', token),
    ...maybe(20, 'snapshotToken', token),
  })
  const orderBy = (): unknown => ({
    fields: [{ field: field(), ...maybe(50, 'direction', () => one(['asc', 'desc', 'x'])) }],
  })
  const select = (): unknown => someOf(0, 2, field)

  const bodies: Readonly<Record<string, (path: string) => object>> = {
    search: (path) => ({
      ...(path.includes('/v2/') ? { where: where(), select: [] } : { query: query() }),
      ...paging(),
      ...maybe(40, 'orderBy', orderBy),
      ...maybe(30, 'snapshot', () => fraction(50)),
      ...maybe(30, 'select', select),
    }),
    aggregate: (path) => ({
      ...(path.includes('objectSets') ? { objectSet: objectSet() } : {}),
      ...maybe(50, path.includes('/v2/') ? 'where' : 'query', path.includes('/v2/') ? where : query),
      aggregation: someOf(1, 3, metric),
      ...maybe(60, 'groupBy', () => someOf(0, 3, group)),
      ...maybe(20, 'snapshotToken', token),
    }),
    changes: () => ({
      fromSnapshotToken: token(),
      ...paging(),
      ...maybe(30, 'toSnapshotToken', token),
      ...maybe(30, 'query', query),
      ...maybe(5, 'waitSeconds', () => one([0, 31, -1])),
    }),
    count: () => ({ query: query(), ...maybe(20, 'snapshotToken', token) }),
    partitions: () => ({
      partitionCount: one([1, 3, 64, 65, 0, -1, 0.5]),
      query: query(),
      ...maybe(20, 'snapshotToken', token),
    }),
    snapshots: () =>
      one([
        {},
        { objectTypes: [fraction(60) ? 'item' : text()] },
        { objectTypes: ['item'], version: one([text(), '1', '0', '-1', '9223372036854775807']) },
        { at: one([text(), '2020-01-01T00:00:00Z']) },
      ]),
    versions: () => ({ primaryKey: text(), ...paging(), ...maybe(30, 'select', select) }),
    pairs: () => ({ query: query(), ...paging() }),
    loadObjects: () => ({
      objectSet: objectSet(),
      ...paging(),
      ...maybe(50, 'select', select),
      ...maybe(30, 'orderBy', orderBy),
      ...maybe(20, 'selectV2', () => [any()]),
    }),
    mcp: () => ({
      jsonrpc: '2.0',
      id: one([1, 'x', null, {}]),
      method: one(mcpMethods),
      params: fraction(80) ? { name: one(toolNames), arguments: toolArguments() } : any(),
    }),
  }
  const toolArguments = (): object => ({
    apiFamily: fraction(90) ? 'one' : text(),
    objectType: fraction(90) ? 'item' : text(),
    ...maybe(50, 'query', query),
    ...maybe(40, 'field', field),
    ...maybe(40, 'primaryKey', text),
    ...maybe(30, 'since', token),
    ...maybe(20, 'select', any),
    ...paging(),
  })
  const line = (): string => {
    if (fraction(10)) return text()
    const named = fieldNames.slice(1).filter(() => fraction(20))
    const properties = Object.fromEntries([
      ['id', fraction(40) ? `k${below(5)}` : text()],
      ...named.map((name) => [name, fraction(50) ? scalar() : any()] as const),
    ])
    return JSON.stringify({
      type: one(['put', 'merge', 'delete', 'x']),
      ...maybe(80, 'properties', () => properties),
      ...maybe(30, 'primaryKey', scalar),
      ...maybe(20, 'objectType', () => one(['item', 'x'])),
    })
  }
  return {
    json: (path) => {
      const body = bodies[path.split('/').at(-1) ?? '']?.(path) ?? any()
      if (typeof body !== 'object' || body === null || Array.isArray(body) || !fraction(25)) return body
      return { ...body, [fraction(60) ? one([...Object.keys(body), 'x']) : text()]: any() }
    },
    lines: () => Array.from({ length: 1 + below(4) }, line).join('\n'),
  }
}
