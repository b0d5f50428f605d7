import { expect, it } from 'vitest'
import { cellText, wholeText } from './cell-text.ts'

it.each([
  [undefined, undefined],
  ['plain', 'plain'],
  [0, '0'],
  [false, 'false'],
  [['a', 'b'], 'a, b'],
  [{ a: 1 }, '{"a":1}'],
  ['a\u202eb\u200bc\n', 'a⟨202E⟩b⟨200B⟩c⟨000A⟩'],
  ['👩‍🚀', '👩‍🚀'],
  ['<b>', '<b>'],
])('%j is shown as %j', (value, text) => {
  expect(cellText(value)).toBe(text)
})

it('a long text is cut where it is shown, and whole where it is copied', () => {
  const long = 'x'.repeat(1_000_000)
  expect(cellText(long)).toHaveLength(301)
  expect(wholeText(long)).toBe(long)
})
