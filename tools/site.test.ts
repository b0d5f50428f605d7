// The build of the site takes too long for the quick check. What other changes break most is here: a page that was renamed.
import { expect, it } from 'vitest'
import { filledShelves, pagesOf } from '../site/shelves.ts'

const pages = filledShelves().flatMap(pagesOf)

it('every document is on the site once, and no two have the same address', () => {
  expect(pages.length).toBeGreaterThan(50)
  expect(new Set(pages.map(({ file }) => file)).size).toBe(pages.length)
  expect(new Set(pages.map(({ address }) => address)).size).toBe(pages.length)
})

it.each([
  ['docs/run/operating.md', 'run/operating'],
  [
    'docs/decisions/0026-a-number-is-compared-with-its-tag.md',
    'decisions/26-a-number-is-compared-with-its-tag',
  ],
  ['docs/decisions/README.md', 'decisions/index'],
  ['spec/1-reading.md', 'spec/1-reading'],
  ['spec/README.md', 'spec/index'],
])('%s has the address %s', (file, address) => {
  expect(pages.find((page) => page.file === file)?.address).toBe(address)
})
