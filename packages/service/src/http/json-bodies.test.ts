import { expect, it } from 'vitest'
import { withoutNulls } from './json-bodies.ts'

it('P180: a field that is null is gone at any depth, and an element of an array stays', () => {
  const body = { a: null, b: { c: null, d: 0 }, e: [null, { f: null, g: '' }], h: false }
  expect(withoutNulls(body)).toEqual({ b: { d: 0 }, e: [null, { g: '' }], h: false })
  expect(withoutNulls(JSON.parse('{"__proto__": null, "x": 1}'))).toEqual({ x: 1 })
  for (const value of [null, undefined, 'null', 1]) expect(withoutNulls(value)).toBe(value)
})

it('P110, P180: a body that nests without end is read all the same', () => {
  const levels = 200_000
  const body: unknown = JSON.parse(`${'{"a":'.repeat(levels)}null${'}'.repeat(levels)}`)
  expect(withoutNulls(body)).toBe(body)
})
