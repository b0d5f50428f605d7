/** Conditions that match visible objects, hidden ones, both or none. */
export const queries: readonly object[] = [
  { type: 'empty' },
  { type: 'eq', field: 'cat', value: 'b' },
  { type: 'eq', field: 'cat', value: 'z' },
  { type: 'contains', field: 'tags', value: 'secret' },
  { type: 'anyTerm', field: 'title', value: 'word' },
  { type: 'phrase', field: 'title', value: 'Secret 4' },
  { type: 'prefix', field: 'title', value: 'sec' },
  { type: 'gte', field: 'n', value: 30 },
  { type: 'not', value: { type: 'eq', field: 'cat', value: 'a' } },
  { type: 'in', field: 'id', value: ['h000001', 'v000001', 'h000002'] },
  { type: 'isNull', field: 'peer', value: false },
  { type: 'linked', link: 'peers', query: { type: 'gte', field: 'n', value: 30 } },
  { type: 'linked', link: 'peer', query: { type: 'empty' } },
  { type: 'not', value: { type: 'linked', link: 'manies', query: { type: 'empty' } } },
  { type: 'linked', link: 'many', query: { type: 'eq', field: 'cat', value: 'b' } },
  { type: 'eq', field: 'dept', value: 'g2' },
  { type: 'keyword', query: 'secret' },
]

export const followsLinks = (query: object): boolean => JSON.stringify(query).includes('"linked"')

type Order = readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]

export const orders: readonly (Order | undefined)[] = [
  undefined,
  [{ field: 'id', direction: 'desc' }],
  [{ field: 'n', direction: 'asc' }],
  [{ field: 'cat', direction: 'desc' }],
  [
    { field: 'cat', direction: 'asc' },
    { field: 'n', direction: 'asc' },
  ],
  [{ field: 'title', direction: 'asc' }],
]
