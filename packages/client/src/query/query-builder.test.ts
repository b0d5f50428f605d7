import { queryTypes } from '@octavo/protocol'
import { expect, it } from 'vitest'
import type { AnyObjectType } from './object-type-shape.ts'
import { queryBuilder } from './query-builder.ts'

const q = queryBuilder<AnyObjectType>()

it('writes every query of the protocol as it is sent', () => {
  const built = [
    q.everything(),
    q.eq('a', 1),
    q.lt('a', 1),
    q.lte('a', 1),
    q.gt('a', 1),
    q.gte('a', 1),
    q.in('a', [1, 2]),
    q.isNull('a'),
    q.prefix('a', 'x'),
    q.phrase('a', 'x y'),
    q.anyTerm('a', 'x'),
    q.allTerms('a', 'x'),
    q.contains('a', 'x'),
    q.keyword('x'),
    q.and(q.everything()),
    q.or(),
    q.not(q.everything()),
    q.linked('a'),
  ]
  expect(built.map(({ type }) => type)).toEqual(queryTypes)
  expect(built).toEqual([
    { type: 'empty' },
    ...['eq', 'lt', 'lte', 'gt', 'gte'].map((type) => ({ type, field: 'a', value: 1 })),
    { type: 'in', field: 'a', value: [1, 2] },
    { type: 'isNull', field: 'a', value: true },
    { type: 'prefix', field: 'a', value: 'x' },
    { type: 'phrase', field: 'a', value: 'x y' },
    { type: 'anyTerm', field: 'a', value: 'x' },
    { type: 'allTerms', field: 'a', value: 'x' },
    { type: 'contains', field: 'a', value: 'x' },
    { type: 'keyword', query: 'x' },
    { type: 'and', value: [{ type: 'empty' }] },
    { type: 'or', value: [] },
    { type: 'not', value: { type: 'empty' } },
    { type: 'linked', link: 'a', query: { type: 'empty' } },
  ])
  expect(q.isNotNull('a')).toEqual({ type: 'isNull', field: 'a', value: false })
})
