import { expect, it } from 'vitest'
import { objectInRow } from './copied-row.ts'
import { addedProperties, fittingName, type CopiedType } from './copied-type.ts'

const before: CopiedType = {
  apiName: 'thing',
  primaryKey: 'id',
  properties: { id: 'integer', tags: { array: 'string' } },
}

it('a definition that has more properties adds columns; any other difference is another type', () => {
  expect(addedProperties(before, before)).toEqual([])
  const more = { ...before, properties: { size: 'double', ...before.properties } } as const
  expect(addedProperties(before, more)).toEqual([['size', 'double']])
  expect(addedProperties(more, before)).toBeUndefined()
  const retyped = { ...before, properties: { ...before.properties, id: 'long' } } as const
  expect(addedProperties(before, retyped)).toBeUndefined()
  expect(addedProperties(before, { ...before, primaryKey: 'tags' })).toBeUndefined()
})

it('names that are too long for PostgreSQL are cut off, and stay different', () => {
  const long = 'a'.repeat(63)
  expect(fittingName(long)).toBe(long)
  const names = [`${long}b`, `${long}c`].map(fittingName)
  expect(names.map((name) => name.length)).toEqual([63, 63])
  expect(new Set(names).size).toBe(2)
})

it('a row is the same object, whichever database answers', () => {
  const type: CopiedType = {
    apiName: 'thing',
    primaryKey: 'id',
    properties: {
      id: 'long',
      isNew: 'boolean',
      seenAt: 'timestamp',
      tags: { array: 'string' },
      size: 'double',
    },
  }
  const properties = { id: '7', isNew: false, seenAt: '2021-05-01T09:30:00.25Z', tags: ['a'] }
  const sqlite = { id: 7n, isNew: 0n, seenAt: '2021-05-01T09:30:00.25Z', tags: '["a"]', size: null }
  const postgres = { id: '7', isNew: 'f', seenAt: '2021-05-01 09:30:00.25+00', tags: '["a"]', size: null }
  for (const row of [sqlite, postgres]) {
    expect(objectInRow(row, type)).toEqual({ primaryKey: '7', properties })
  }
})
