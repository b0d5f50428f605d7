import { expect, it } from 'vitest'
import { timingOf } from './page-timing.ts'

it('the stages of a page are summed, and the database has its part', () => {
  expect(timingOf('parse;dur=0.125, wait;dur=0.250, read;dur=2.500, write;dur=0.125')).toEqual({
    stages: [
      ['parse', 0.125],
      ['wait', 0.25],
      ['read', 2.5],
      ['write', 0.125],
    ],
    readMs: 2.5,
    totalMs: 3,
  })
})

it.each([null, '', 'cdn;desc=hit', 'parse;dur=1'])('an answer that read nothing has none: %s', (header) => {
  expect(timingOf(header)).toBeUndefined()
})
