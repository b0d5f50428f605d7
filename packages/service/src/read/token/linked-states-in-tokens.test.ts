import { expect, it } from 'vitest'
import { decodeClaims, encodeClaims } from './token-claims.ts'
import type { Walk } from './walk.ts'

const walk: Walk = {
  id: '0011223344556677',
  mode: { kind: 'snapshot', version: '41', tag: '00112233aabbccdd' },
  order: undefined,
  total: undefined,
  served: 3,
  position: ['a'],
  linked: new Map([
    [3, { version: '7', tag: 'aa' }],
    [12, { version: '9007199254740993', tag: 'bb' }],
  ]),
}

const claims = { walk, issuedAtSeconds: 1, binding: Buffer.alloc(17) }

it.each([undefined, 40])(
  'P322: a token carries the states of all types that a snapshot walk looks at, with room %s',
  (room) => {
    expect(decodeClaims(encodeClaims(claims, room)).walk).toEqual(walk)
  },
)

it('a snapshot walk without links carries none, also if its position is hidden in a filler', () => {
  const { linked: _none, ...plain } = walk
  expect(decodeClaims(encodeClaims({ ...claims, walk: plain }, 40)).walk).toEqual(plain)
})
