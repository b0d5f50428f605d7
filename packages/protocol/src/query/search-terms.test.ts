import { expect, it } from 'vitest'

import { searchTerms } from './search-terms.ts'

it('P90: a text is split at white space and at each separator, and folded to lower case', () => {
  expect(searchTerms('The Analytical\tEngine\n(1837)')).toEqual(['the', 'analytical', 'engine', '1837'])
  for (const separator of '?!,:;-[](){}\'"~') expect(searchTerms(`a${separator}B`)).toEqual(['a', 'b'])
  for (const character of '._/@#$%&*+=<>|\\^`') {
    expect(searchTerms(`a${character}b`)).toEqual([`a${character}b`])
  }
})

it('a text of separators only has no terms', () => {
  expect(searchTerms(' ?! ~ ')).toEqual([])
  expect(searchTerms('')).toEqual([])
})
