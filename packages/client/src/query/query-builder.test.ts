import { conditionOf, queryOperatorNames, queryTypes } from '@octavo/protocol'
import { expect, it } from 'vitest'
import type { AnyObjectType } from './object-type-shape.ts'
import { queryBuilder } from './query-builder.ts'

const q = queryBuilder<AnyObjectType>()

it('writes every query of the protocol as it is sent', () => {
  const built = [
    q.everything(),
    ...queryOperatorNames.map((name) =>
      name === 'isNull' ? q.isNull('a') : q[name]('a', conditionOf(name, 'a', [1]).value as never),
    ),
    q.keyword('x'),
    q.and(q.everything()),
    q.or(),
    q.not(q.everything()),
    q.linked('a'),
  ]
  expect(built.map(({ type }) => type)).toEqual(queryTypes)
  expect(built).toEqual([
    { type: 'empty' },
    ...queryOperatorNames.map((name) => conditionOf(name, 'a', [name === 'isNull' ? true : 1])),
    { type: 'keyword', query: 'x' },
    { type: 'and', value: [{ type: 'empty' }] },
    { type: 'or', value: [] },
    { type: 'not', value: { type: 'empty' } },
    { type: 'linked', link: 'a', query: { type: 'empty' } },
  ])
  expect(q.isNotNull('a')).toEqual({ type: 'isNull', field: 'a', value: false })
})
