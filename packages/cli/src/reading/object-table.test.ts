import { expect, it } from 'vitest'
import { layTable } from '../output/format-table.ts'
import { makeStyle } from '../output/style.ts'
import { textWidth } from '../output/text-width.ts'
import { chooseColumns } from './object-table.ts'
import type { TypeFacts } from './type-facts.ts'

const facts: TypeFacts = {
  apiName: 'person',
  primaryKey: 'id',
  titleProperty: 'title',
  links: {},
  properties: new Map<string, never>(
    ['note', 'id', 'title', 'names', 'age', 'far'].map((name) => [
      name,
      (name === 'age' ? 'integer' : 'string') as never,
    ]),
  ),
}

const people = [
  {
    properties: {
      id: 'p-1',
      title: 'Ada',
      note: 'a very long note that says more and more and',
      names: [
        { first: 'Ada', last: 'Byron' },
        { first: 'Ada', last: 'Lovelace' },
      ],
      age: 36,
    },
  },
  { properties: { id: 'p-2', title: '東京太郎', far: 'x'.repeat(40) } },
]

it('shows the key, the title and as many properties as fit', () => {
  const { columns, cellsOf, leftOut } = chooseColumns(facts, people, 80)
  expect(columns.map(({ title }) => title)).toEqual(['id', 'title', 'note', 'names', 'age'])
  expect(leftOut).toEqual(['far'])
  const table = layTable(
    { columns, rows: people.map(cellsOf) },
    { width: 80, style: makeStyle({ colour: false }) },
  )
  const lines = table.head + people.map((person) => table.line(cellsOf(person))).join('')
  expect(lines).toMatchInlineSnapshot(`
    "id   title     note                                 names                    age
    p-1  Ada       a very long note that says more an…  Ada Byron, Ada Lovelace   36
    p-2  東京太郎
    "
  `)
  for (const line of lines.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
})
