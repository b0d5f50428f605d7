import { expect, it } from 'vitest'
import { describeChange } from './describe-change.ts'

it.each([
  [{ path: '/displayName', before: 'Air', after: 'Airline' }, 'displayName "Air" -> "Airline"'],
  [{ path: '/description', after: 'x' }, 'description none -> "x"'],
  [{ path: '/properties/delay/searchable', after: true }, 'property delay: searchable false -> true'],
  [
    { path: '/properties/delay/sortable', before: true, after: false },
    'property delay: sortable true -> false',
  ],
  [{ path: '/properties/a~1b', after: { type: 'date' } }, 'property a/b added'],
  [{ path: '/properties/delay', before: { type: 'date' } }, 'property delay removed'],
])('%j', (change, words) => {
  expect(describeChange(change)).toBe(words)
})
