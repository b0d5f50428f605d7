// Calls of tools that nobody in their right mind would make, on items that only their owner may see.
import { limits } from '@octavo/protocol'
import type { Agent } from '../../../agents/test/support/agent.ts'
import type { TestStore } from './open-test-store.ts'
import type { Ontology } from '../../src/catalog/ontology.ts'
import { collectionOf, itemDefinition, itemId, items, putItems } from './load-items.ts'

export interface OwnedItems {
  readonly named: { readonly apiFamily: string; readonly objectType: string }
  readonly count: number
  /** The `next` that the owner got, for the second page. */
  readonly next: object
}

export type ToolCall = readonly [tool: string, given: object]

const secret = 'only-for-the-owner'

export async function loadOwnedItems(
  store: TestStore,
  ontology: Ontology,
  owner: Agent,
): Promise<OwnedItems> {
  const type = await store.applyObjectType(ontology, itemDefinition('item'))
  const owned = [...items(50), { id: 'hidden', rank: 1, label: secret }]
  await putItems(store, type, owned)
  const { apiFamily, objectType } = collectionOf(ontology, type)
  const named = { apiFamily, objectType }
  const { next = {} } = await owner.ask('search_objects', { ...named, pageSize: 5 })
  return { named, count: owned.length, next }
}

const long = 'x'.repeat(300_000)
const deep = (levels: number): object => {
  let query: object = { type: 'empty' }
  for (let i = 0; i < levels; i += 1) query = { type: 'not', value: query }
  return query
}
const proto: object = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {}}}')
const wrongValues: readonly unknown[] = [
  1,
  -1,
  1.5,
  true,
  [],
  {},
  '',
  ' ',
  '\u0000',
  '../../manage/v1/accessTokens',
  long,
]
const sql = `item'; drop table clock; --`

/** A hundred calls and more. */
export function hostileToolCalls({ named, next }: OwnedItems): readonly ToolCall[] {
  const everyTool = [
    'list_types',
    'describe_type',
    'search_objects',
    'get_object',
    'count_by',
    'changes_since',
  ]
  return [
    ...everyTool.flatMap((tool) =>
      wrongValues.map((value) => [tool, { ...named, apiFamily: value }] as const),
    ),
    ...wrongValues.map((value) => ['search_objects', { ...named, objectType: value }] as const),
    ...wrongValues.map((value) => ['search_objects', { ...named, pageToken: value }] as const),
    ...wrongValues.map((value) => ['search_objects', { ...named, snapshotToken: value }] as const),
    ...wrongValues.map((value) => ['search_objects', { ...named, query: value }] as const),
    ...wrongValues.map((value) => ['search_objects', { ...named, orderBy: [{ field: value }] }] as const),
    ...wrongValues.map(
      (value) => ['search_objects', { ...named, pageSize: value === 1 ? 0 : value }] as const,
    ),
    ...wrongValues.map((value) => ['changes_since', { ...named, since: value }] as const),
    ...wrongValues.map((value) => ['count_by', { ...named, groupBy: [value] }] as const),
    ...everyTool.map((tool) => [tool, proto] as const),
    ...everyTool.map((tool) => [tool, { ...named, ...proto }] as const),
    ['search_objects', { ...named, objectType: sql }],
    ['search_objects', { ...named, query: { type: 'eq', field: sql, value: 1 } }],
    ['search_objects', { ...named, query: { type: 'eq', field: 'rank', value: sql } }],
    ['search_objects', { ...named, query: { type: sql } }],
    ['search_objects', { ...named, query: { type: 'keyword', query: long } }],
    ['search_objects', { ...named, query: deep(50) }],
    ['search_objects', { ...named, query: deep(3_000) }],
    ['search_objects', { ...named, query: { type: 'linked', link: sql, query: {} } }],
    ['search_objects', { ...named, query: { type: 'linked', link: 'same', query: 7 } }],
    [
      'search_objects',
      { ...named, query: { type: 'and', value: Array.from({ length: 5_000 }, () => deep(2)) } },
    ],
    ['search_objects', { ...named, select: [sql] }],
    ['search_objects', { ...named, select: ['__proto__'] }],
    ['search_objects', { ...named, ...next, query: { type: 'eq', field: 'id', value: 'hidden' } }],
    ['search_objects', { ...named, ...next, pageToken: `9.9.${'A'.repeat(8_192)}` }],
    ['search_objects', { ...named, ...next, pageToken: '99999999999999999999.1.A' }],
    ['changes_since', { ...named, since: '2999-01-01T00:00:00Z' }],
    ['changes_since', { ...named, since: ':::' }],
    ['count_by', { ...named, groupBy: [{ type: 'exact', field: '__proto__' }] }],
    ['count_by', { ...named, groupBy: [{ type: 'ranges', field: 'rank', ranges: deep(2_000) }] }],
    ['count_by', { ...named, groupBy: ['rank'], metrics: [{ type: 'sum', field: 'label' }] }],
    ['count_by', { ...named, groupBy: ['rank', 'rank'] }],
    ['get_object', { ...named, primaryKey: long }],
    ['get_object', { ...named, primaryKey: { $ne: null } }],
  ]
}

/** What the owner may call, and nobody else. */
export const toolCallsOfTheOwner = ({ named, next }: OwnedItems): readonly ToolCall[] => [
  ['search_objects', { ...named, ...next }],
  ['search_objects', { ...named, query: { type: 'eq', field: 'id', value: 'hidden' } }],
  ['get_object', { ...named, primaryKey: 'hidden' }],
]

type Called = Awaited<ReturnType<Agent['call']>>

/** What is wrong with the answer to a hostile call; undefined if it is a refusal in words, and a short one. */
export function problemOfRefusal({ text, isError }: Called): string | undefined {
  if (!isError) return `it was not refused: ${text.slice(0, 200)}`
  const leaked = /Send the same call again|stack|syntax error|select |octavo\./.exec(text)
  if (leaked !== null) return `it says ${leaked[0]}: ${text.slice(0, 200)}`
  const bytes = Buffer.byteLength(text)
  return bytes > limits.agents.errorBytes ? `it has ${bytes} bytes` : undefined
}

/** What an answer tells a stranger about the items; undefined if it is a refusal that tells nothing. */
export function leakedToStranger({ text, isError }: Called): string | undefined {
  if (!isError) return text.slice(0, 200)
  return [secret, itemId(1), 'rank'].find((each) => text.includes(each))
}
