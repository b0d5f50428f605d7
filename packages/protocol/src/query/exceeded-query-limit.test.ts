import { describe, expect, it } from 'vitest'

import { exceededQueryLimit } from './exceeded-query-limit.ts'
import { operatorsTaking } from './operators.ts'

const empty = { type: 'empty' }
const nested = (levels: number): unknown => {
  let query: unknown = empty
  for (let level = 1; level < levels; level += 1) query = { type: 'not', value: query }
  return query
}
const within = (length: number) => ({ type: 'in', field: 'a', value: Array.from({ length }, () => 1) })
const many = (length: number): unknown[] => Array.from({ length }, () => empty)

describe('P100: a query has a largest depth, size and length', () => {
  it('has at most 5 levels', () => {
    expect(exceededQueryLimit(nested(5))).toBeUndefined()
    expect(exceededQueryLimit(nested(6))).toEqual({ limit: 'depth', maximum: 5 })
    expect(exceededQueryLimit({ type: 'or', value: [empty, nested(5)] })).toEqual({
      limit: 'depth',
      maximum: 5,
    })
  })

  it('has at most 100 parts', () => {
    expect(exceededQueryLimit({ type: 'and', value: many(99) })).toBeUndefined()
    expect(exceededQueryLimit({ type: 'and', value: many(100) })).toEqual({ limit: 'nodes', maximum: 100 })
    const spread = {
      type: 'or',
      value: [
        { type: 'and', value: many(50) },
        { type: 'and', value: many(50) },
      ],
    }
    expect(exceededQueryLimit(spread)).toEqual({ limit: 'nodes', maximum: 100 })
  })

  it('has at most 1,000 values in one `in`', () => {
    expect(exceededQueryLimit(within(1000))).toBeUndefined()
    expect(exceededQueryLimit({ type: 'not', value: within(1001) })).toEqual({
      limit: 'inValues',
      maximum: 1000,
    })
  })

  it('P100: has at most 5,000 values in all `in` together, wherever they are', () => {
    const five = [within(1000), { type: 'not', value: within(1000) }, ...Array(3).fill(within(1000))]
    expect(exceededQueryLimit({ type: 'or', value: five })).toBeUndefined()
    const linked = { type: 'linked', link: 'a', query: within(1) }
    expect(exceededQueryLimit({ type: 'or', value: [...five, linked] })).toEqual({
      limit: 'allInValues',
      maximum: 5000,
    })
  })

  it.each([...operatorsTaking('text'), 'keyword'])('has at most 1,024 bytes of text in %s', (type) => {
    const search = (text: string) =>
      type === 'keyword' ? { type, query: text } : { type, field: 'a', value: text }
    expect(exceededQueryLimit(search('a'.repeat(1024)))).toBeUndefined()
    expect(exceededQueryLimit(search('a'.repeat(1025)))).toEqual({ limit: 'textBytes', maximum: 1024 })
    // Bytes, not characters: the letter is two bytes long.
    expect(exceededQueryLimit(search('é'.repeat(513)))).toEqual({ limit: 'textBytes', maximum: 1024 })
  })

  it('does not limit the text of an exact comparison', () => {
    expect(exceededQueryLimit({ type: 'eq', field: 'a', value: 'a'.repeat(5000) })).toBeUndefined()
  })
})

it('a query nested a hundred thousand times is refused without exhausting the stack', () => {
  expect(exceededQueryLimit(nested(100_000))).toEqual({ limit: 'depth', maximum: 5 })
})

it.each([null, undefined, 7, 'x', [], {}, { type: 'and' }, { type: 'and', value: 7 }, { type: 'not' }])(
  'what is no query at all (%j) is left to the schema',
  (query) => {
    expect(exceededQueryLimit(query)).toBeUndefined()
  },
)
