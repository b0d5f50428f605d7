import { expect, it } from 'vitest'
import { compareValues } from './compare-values.ts'

it.each([
  ['integer', ['-10', '2', '10']],
  ['long', ['-9007199254740993', '9007199254740992', '9007199254740993']],
  ['decimal', ['-0.5', '0.05', '0.5', '12']],
  ['date', ['2021-05-01', '2021-05-02']],
  ['timestamp', ['2021-05-01T12:00:00Z', '2021-05-01T12:00:00.5Z', '2021-05-02T00:00:00Z']],
  // In UTF-16 the last two would be the other way round.
  ['string', ['10', '2', '\uff5e', '\u{1f600}']],
] as const)('texts of %s are ordered as PostgreSQL orders their values', (scalar, texts) => {
  expect(texts.toReversed().toSorted((a, b) => compareValues(scalar, a, b))).toEqual(texts)
})
