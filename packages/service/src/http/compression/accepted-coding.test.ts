import { answerCodings, type AnswerCoding } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { acceptedCoding } from './accepted-coding.ts'

const chosen = (header: string | undefined, offered: readonly AnswerCoding[] = answerCodings) =>
  acceptedCoding(header, offered).coding ?? 'identity'

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['GZip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['deflate, compress', 'identity'],
  ['*', 'zstd'],
  ['zstd;q=0, *', 'br'],
  ['*;q=0', 'identity'],
  ['gzip;q=1.0, zstd;q=0.5', 'gzip'],
  ['zstd ; q=0.3 , br; q=0.4,gzip;q=0.399', 'br'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=0.000, br;q=0.001', 'br'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0.5, *;q=0.5', 'zstd'],
  ['gzip;q=high, br;q=2', 'identity'],
  ['zstdx, xgzip, ;, ,q=1', 'identity'],
])('P233: %j is answered with %s', (header, coding) => {
  expect(chosen(header)).toBe(coding)
})

it('P233: what a deployment does not offer is not chosen, and its own order decides between equal weights', () => {
  expect(chosen('gzip, br, zstd', ['gzip', 'br'])).toBe('gzip')
  expect(chosen('zstd', ['gzip', 'br'])).toBe('identity')
  expect(chosen('*', [])).toBe('identity')
})

it.each([
  ['gzip', false],
  ['identity;q=0, gzip', true],
  ['*;q=0, gzip', true],
  ['*;q=0, identity;q=0.1, gzip', false],
  ['identity;q=0', true],
])('P233: whether %j refuses an answer that is not compressed is %s', (header, refuses) => {
  expect(acceptedCoding(header, answerCodings).refusesIdentity).toBe(refuses)
})
