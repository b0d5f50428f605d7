import { expect, it } from 'vitest'
import type { ObjectType } from '../types/object-type.ts'
import { chooseColumns, narrowest, widthOf } from './columns.ts'

const plain = { searchable: false, sortable: false }
const type: ObjectType = {
  apiName: 'book',
  displayName: 'Book',
  primaryKey: 'id',
  links: {},
  orders: [],
  properties: {
    title: { type: 'string', ...plain },
    id: { type: 'long', ...plain },
    pages: { type: 'integer', ...plain },
  },
}

const namesOf = (...given: Parameters<typeof chooseColumns>) =>
  chooseColumns(...given).columns.map(({ name }) => name)

it('the primary key comes first and is pinned, unless something else was chosen', () => {
  expect(namesOf(type, undefined, {})).toEqual(['id', 'title', 'pages'])
  expect(namesOf(type, ['pages', 'title'], {})).toEqual(['pages', 'title'])
  expect(namesOf(type, ['title', 'pages', 'id'], { pinned: ['pages'] })).toEqual(['pages', 'title', 'id'])
})

it('names that do not exist are left out and reported, and never leave nothing', () => {
  const { columns, unknown } = chooseColumns(type, ['gone', '__proto__', 'title'], {})
  expect(columns.map(({ name }) => name)).toEqual(['title'])
  expect(unknown).toEqual(['gone', '__proto__'])
  expect(namesOf(type, ['gone'], {})).toEqual(['id', 'title', 'pages'])
})

it('widths are kept within reason, and columns stand side by side', () => {
  const { columns } = chooseColumns(type, undefined, { widths: { id: 1, title: 300 } })
  expect(columns.map(({ left }) => left)).toEqual([0, narrowest, narrowest + 300])
  expect(widthOf(columns)).toBe(narrowest + 300 + (columns[2]?.width ?? 0))
})
