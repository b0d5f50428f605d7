import { expect, it } from 'vitest'
import { betweenMarks } from './between-marks.ts'

const page = 'Before.\n\n<!-- generated: a -->\n\nOld.\n\n<!-- end: a -->\n\nAfter.\n'

it('replaces what is between the marks, and nothing else', () => {
  const made = betweenMarks(page, 'a', 'New.')
  expect(made).toBe(page.replace('Old.', 'New.'))
  expect(betweenMarks(made, 'a', 'New.')).toBe(made)
})

it('does not guess where a part belongs', () => {
  expect(() => betweenMarks(page, 'b', 'New.')).toThrow('<!-- generated: b -->')
  expect(() => betweenMarks(page + page, 'a', 'New.')).toThrow('once each')
})
