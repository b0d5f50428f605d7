import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Parameters } from './sql-query.ts'

it('the same value with the same type has one place', () => {
  const parameters = new Parameters()
  expect(parameters.add('x', 'text')).toBe('$1::text')
  expect(parameters.add('1', 'integer')).toBe('$2::integer')
  expect(parameters.add('x', 'text')).toBe('$1::text')
  expect(parameters.add('1', 'bigint')).toBe('$3::bigint')
  expect(parameters.values).toEqual(['x', '1', '1'])
})

it('every place holds the value that was added, whatever the values look like', () => {
  const value = fc.oneof(
    fc.constantFrom(null, '', 'null', 'true', true, 1, '1'),
    fc.integer({ min: 0, max: 9 }).map((n) => `#${n}`),
    fc.array(fc.constantFrom('a', null), { maxLength: 2 }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(value, fc.constantFrom('text', 'text[]', 'bigint'))), (added) => {
      const parameters = new Parameters()
      for (const [given, type] of added) {
        const place = parameters.add(given, type)
        const [, index, cast] = /^\$([0-9]+)::(.+)$/.exec(place) ?? []
        const held = parameters.values[Number(index) - 1]
        expect(cast).toBe(type)
        // PostgreSQL receives text: 1 and '1' are the same to it, null and 'null' are not.
        if (given === null || typeof given === 'object') expect(held).toBe(given)
        else expect(String(held)).toBe(String(given))
      }
    }),
    { numRuns: 2_000 },
  )
})
