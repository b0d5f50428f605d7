import { expect, it } from 'vitest'
import { termsOfValues } from './terms-of-values.ts'

it('the terms of several values are in order, with an empty one between two values', () => {
  expect(termsOfValues(['Ada Byron', '', ' ?! ', 'King'])).toEqual(['ada', 'byron', '', 'king'])
  expect(termsOfValues([])).toEqual([])
  expect(termsOfValues(['?'])).toEqual([])
})

it('a term is kept whole up to 2,046 bytes and cut after a whole character beyond', () => {
  expect(termsOfValues(['x'.repeat(2_046)])).toEqual(['x'.repeat(2_046)])
  expect(termsOfValues(['x'.repeat(3_000)])).toEqual(['x'.repeat(2_046)])
  // 2,046 bytes are 682 characters of three bytes each, and 511 of four.
  expect(termsOfValues(['漢'.repeat(683)])).toEqual(['漢'.repeat(682)])
  expect(termsOfValues(['😀'.repeat(512)])).toEqual(['😀'.repeat(511)])
})

it('a term that is cut is still longer than any term of a query', () => {
  const [cut = ''] = termsOfValues(['Ⱥ'.repeat(5_000)])
  // The text of a query has at most 1,024 bytes: here 512 characters, which become longer in lower case.
  expect(Buffer.byteLength(cut)).toBeGreaterThan(Buffer.byteLength('Ⱥ'.repeat(512).toLowerCase()))
})
