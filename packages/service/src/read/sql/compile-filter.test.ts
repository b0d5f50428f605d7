import type { Query } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { columnOf, termsColumnOf } from '../../catalog/object-type.ts'
import { resolveFilter } from '../../catalog/filter/resolve-filter.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { compileFilter, compileRange } from './compile-filter.ts'
import { Parameters } from '../../base/sql-query.ts'

const type = unsavedType(employeeDefinition)

/** Replaces column names with property names. */
const named = (text: string) =>
  text.replaceAll(/\bp\d+\b/g, (name) => {
    const column = type.columns.find((candidate) => candidate.name === name)
    return [column?.property, column?.component, column?.role === 'terms' ? 'terms' : undefined]
      .filter(Boolean)
      .join('_')
  })

function compiled(query: Query) {
  const parameters = new Parameters()
  return { text: named(compileFilter(resolveFilter(type, query), parameters)), values: parameters.values }
}

it.each<[Query, string, readonly unknown[]]>([
  [{ type: 'eq', field: 'age', value: 3 }, 'age = $1::integer', ['3']],
  [
    { type: 'lt', field: 'notes', value: 'x' },
    '(left(notes, 250) <= left($1::text, 250) and notes < $1::text)',
    ['x'],
  ],
  [
    { type: 'gt', field: 'tags', value: 'x' },
    'exists (select from unnest(tags) as held(one) where one > $1::text)',
    ['x'],
  ],
  [{ type: 'contains', field: 'tags', value: 'x' }, 'tags @> $1::text[]', [['x']]],
  [{ type: 'in', field: 'tags', value: ['x', 'y'] }, 'tags && $1::text[]', [['x', 'y']]],
  [{ type: 'in', field: 'age', value: [1, 2] }, 'age = any($1::integer[])', [['1', '2']]],
  [{ type: 'isNull', field: 'notes', value: true }, 'left(notes, 250) is null', []],
  [{ type: 'isNull', field: 'age', value: false }, 'age is not null', []],
  [
    { type: 'not', value: { type: 'eq', field: 'age', value: 3 } },
    '((age = $1::integer) is not true)',
    ['3'],
  ],
  [
    { type: 'anyTerm', field: 'notes', value: 'a\\b c*' },
    `array_to_tsvector(array_remove(notes_terms, '')) @@ $1::tsquery`,
    [`'a\\\\b' | 'c*'`],
  ],
  [
    { type: 'prefix', field: 'notes', value: 'a b' },
    `(array_to_tsvector(array_remove(notes_terms, '')) @@ $1::tsquery and strpos(' ' || array_to_string(notes_terms, ' ') || ' ', $2::text) > 0)`,
    [`'a' & 'b':*`, ' a b'],
  ],
])('%j is %s', (query, text, values) => {
  expect(compiled(query)).toEqual({ text, values })
})

it('an equality is a range, so that its key stays part of the order', () => {
  const parameters = new Parameters()
  const range = (query: Query) => compileRange(resolveFilter(type, query), parameters).map(named)
  expect(range({ type: 'eq', field: 'age', value: 3 })).toEqual(['age >= $1::integer', 'age <= $1::integer'])
  expect(range({ type: 'eq', field: 'notes', value: 'x' })).toEqual([
    'left(notes, 250) >= left($2::text, 250)',
    'left(notes, 250) <= left($2::text, 250)',
    'notes = $2::text',
  ])
})

it('two requests of one shape have one text, whatever their values are', () => {
  const hostile = ["'; drop table x; --", '$1', "\\' or true", '/*', 'x\n--']
  for (const value of hostile) {
    for (const kind of ['eq', 'lt', 'contains'] as const) {
      const field = kind === 'contains' ? 'tags' : 'notes'
      expect(compiled({ type: kind, field, value }).text).toBe(
        compiled({ type: kind, field, value: 'x' }).text,
      )
    }
  }
  expect(columnOf(type, 'notes')?.name).not.toBe(termsColumnOf(type, 'notes')?.name)
})
