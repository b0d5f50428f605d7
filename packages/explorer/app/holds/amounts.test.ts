import { expect, it } from 'vitest'
import { bytesText, secondsText } from './amounts.ts'

it('bytes are said in the unit that keeps the number short', () => {
  expect([0, 999, 1_000, 8_192, 123_456, 1_204_224, 5e13].map(bytesText)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '8.2 kB',
    '123 kB',
    '1.2 MB',
    '50.0 TB',
  ])
})

it('a time is said in the largest unit that divides it', () => {
  expect([0, 1, 90, 900, 3_600, 90_000, 172_800].map(secondsText)).toEqual([
    '0 seconds',
    '1 second',
    '90 seconds',
    '15 minutes',
    '1 hour',
    '25 hours',
    '2 days',
  ])
})
