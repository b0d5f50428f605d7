import { expect, it } from 'vitest'
import { agoText, amountText, bytesText, countText, durationText } from './numbers.ts'

it('writes counts, durations and moments as people read them', () => {
  expect(countText('12345678901234567890')).toBe('12,345,678,901,234,567,890')
  expect([amountText(1, 'object'), amountText('2', 'object'), amountText(1_000, 'object')]).toEqual([
    '1 object',
    '2 objects',
    '1,000 objects',
  ])
  expect([400, 12_400, 59_600, 252_000, 7_500_000].map(durationText)).toEqual([
    '0.4 s',
    '12 s',
    '1 min 00 s',
    '4 min 12 s',
    '2 h 05 min',
  ])
  expect([0, 512, 1_540, 394_000_000, 2.5e12].map(bytesText)).toEqual([
    '0 bytes',
    '512 bytes',
    '1.5 kB',
    '394 MB',
    '2.5 TB',
  ])
  const now = new Date('2026-02-03T04:05:06Z')
  const moments = [
    '2026-02-03T04:05:06.5Z',
    '2026-02-03T04:05:01Z',
    '2026-02-03T03:00:00Z',
    '2026-01-01T00:00:00Z',
  ]
  expect(moments.map((moment) => agoText(moment, now))).toEqual(['now', '5 s ago', '1 h ago', '33 d ago'])
})
