import { describe, expect, it } from 'vitest'
import { canonicalDate, canonicalTimestamp } from './canonical-time.ts'

describe('a date', () => {
  it.each(['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '0004-02-29', '2021-05-01'])(
    '%s is kept as it is',
    (text) => {
      expect(canonicalDate(text)).toBe(text)
    },
  )

  it.each([
    ['0000-01-01', 'the year 0'],
    ['10000-01-01', 'five digits of year'],
    ['2023-02-29', 'a leap day in a common year'],
    ['1900-02-29', 'a leap day in a century'],
    ['2021-04-31', 'the 31st of a short month'],
    ['2021-13-01', 'a thirteenth month'],
    ['2021-00-01', 'month 0'],
    ['2021-01-00', 'day 0'],
    ['2021-5-1', 'single digits'],
    ['2021-05-01T00:00:00Z', 'a time'],
    [' 2021-05-01', 'a blank'],
    ['2021-05-01\n', 'a line end'],
    ['٢٠٢١-05-01', 'digits of another script'],
    [20210501, 'a number'],
    [null, 'null'],
  ])('%s is refused: %s', (value: unknown, _why) => {
    expect(canonicalDate(value)).toBeUndefined()
  })
})

describe('a timestamp', () => {
  it.each([
    ['2021-05-01T12:00:00Z', '2021-05-01T12:00:00Z'],
    ['2021-05-01t12:00:00z', '2021-05-01T12:00:00Z'],
    ['2021-05-01T12:00Z', '2021-05-01T12:00:00Z'],
    ['2021-05-01T12:00:00.123456Z', '2021-05-01T12:00:00.123456Z'],
    ['2021-05-01T12:00:00.120000Z', '2021-05-01T12:00:00.12Z'],
    ['2021-05-01T12:00:00.000000Z', '2021-05-01T12:00:00Z'],
    ['2021-05-01T12:00:00.000001Z', '2021-05-01T12:00:00.000001Z'],
    ['2021-05-01T12:00:00+02:00', '2021-05-01T10:00:00Z'],
    ['2021-05-01T12:00:00.5-05:30', '2021-05-01T17:30:00.5Z'],
    ['2021-05-01T00:00:00-00:00', '2021-05-01T00:00:00Z'],
    ['2020-12-31T23:30:00-01:00', '2021-01-01T00:30:00Z'],
    ['2024-03-01T00:00:00+01:00', '2024-02-29T23:00:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['0001-01-01T01:00:00+01:00', '0001-01-01T00:00:00Z'],
    ['0099-06-01T00:00:00Z', '0099-06-01T00:00:00Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('%s becomes %s', (text, canonical) => {
    expect(canonicalTimestamp(text)).toBe(canonical)
  })

  it.each([
    ['2021-05-01T12:00:00', 'no zone'],
    ['2021-05-01 12:00:00Z', 'a blank instead of T'],
    ['2021-05-01', 'no time'],
    ['2021-05-01T12:00:00.1234567Z', 'seven decimals, which are never rounded'],
    ['2021-05-01T12:00:00.Z', 'a point without decimals'],
    ['2021-05-01T24:00:00Z', 'hour 24'],
    ['2021-05-01T12:60:00Z', 'minute 60'],
    ['2021-05-01T23:59:60Z', 'a leap second'],
    ['2021-05-01T12:00:00+16:00', 'an offset of sixteen hours'],
    ['2021-05-01T12:00:00+01:60', 'an offset of sixty minutes'],
    ['2021-05-01T12:00:00+0100', 'an offset without a colon'],
    ['2023-02-29T12:00:00Z', 'a day that does not exist'],
    ['0000-12-31T23:59:59Z', 'the year 0'],
    ['0001-01-01T00:00:00+00:01', 'a moment that in UTC lies before the year 1'],
    ['9999-12-31T23:59:59-00:01', 'a moment that in UTC lies after the year 9999'],
    ['infinity', 'a word of PostgreSQL'],
    [0, 'a number'],
    [new Date(0), 'a Date'],
  ])('%s is refused: %s', (value: unknown, _why) => {
    expect(canonicalTimestamp(value)).toBeUndefined()
  })
})
