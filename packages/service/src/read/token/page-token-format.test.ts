// Checks the code against docs/reference/page-tokens.md, with the example token from that page.
import { limits } from '@octavo/protocol'
import { createDecipheriv, createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pageTokenKeys } from '../../config/page-token-key.ts'
import { identityParts, type RequestIdentity } from '../request/request-identity.ts'
import { openPageToken } from './open-page-token.ts'
import { positionRoom, callerBytes, encodeClaims, partBytes } from './token-claims.ts'
import { sealPageToken } from './seal-page-token.ts'
import { tokenBinding } from './token-binding.ts'
import { tokenSealer } from './token-sealer.ts'
import type { Walk } from './walk.ts'

interface Example {
  readonly mode: string
  readonly issuedAt: string
  readonly served: number
  readonly walkId: string
  readonly caller: string
  readonly parts: RequestIdentity
  readonly version: string
  readonly tag: string
  readonly order: string
  readonly total: string
  readonly position: readonly (string | null)[]
}

const page = readFileSync(new URL('../../../../../docs/reference/page-tokens.md', import.meta.url), 'utf8')
const [keyText = '', token = '', exampleText = ''] = [...page.matchAll(/```(?:text|json)\n(.*?)\n```/gs)].map(
  ([, block]) => block,
)
const example: Example = JSON.parse(exampleText)
const keys = pageTokenKeys.parse(keyText)
if (keys === undefined) throw new Error('the page has no key')

const walk: Walk = {
  id: example.walkId,
  mode: { kind: 'snapshot', version: example.version, tag: example.tag },
  order: example.order,
  total: example.total,
  served: example.served,
  position: example.position,
}
const binding = tokenBinding({ subject: example.caller }, example.parts)
const issuedAtSeconds = Date.parse(example.issuedAt) / 1000

it('the token of the page opens to the claims of the page', () => {
  const now = new Date((issuedAtSeconds + 60) * 1000)
  expect(openPageToken(tokenSealer(keys), token, { binding, now })).toEqual(walk)
  expect(tokenSealer(keys).open(token)).toEqual({ walk, issuedAtSeconds, binding })
})

const hash = (text: string, length: number) => createHash('sha256').update(text).digest().subarray(0, length)

const number = (value: number, length: number) => {
  const buffer = Buffer.alloc(length)
  buffer.writeUIntBE(value, 0, length)
  return buffer
}

it('a reader that knows nothing but the page can open the token', () => {
  const bytes = Buffer.from(token, 'base64url')
  let at = 0
  const take = (length: number) => bytes.subarray(at, (at += length))
  expect(take(1)).toEqual(Buffer.from([1]))
  expect(take(take(1).readUInt8()).toString()).toBe('k1')
  const salt = take(12)
  const nonce = Buffer.concat([Buffer.alloc(6), take(6)])
  const header = bytes.subarray(0, at)
  const key = createHmac('sha256', keys[0].bytes).update('octavo page token').update(salt).digest()
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(header).setAuthTag(bytes.subarray(-16))
  const claims = Buffer.concat([decipher.update(bytes.subarray(at, -16)), decipher.final()])

  expect(claims).toEqual(encodeClaims({ walk, issuedAtSeconds, binding }))
  expect(claims).toEqual(
    Buffer.concat([
      number(1, 1),
      number(issuedAtSeconds, 5),
      number(example.served, 4),
      Buffer.from(example.walkId, 'hex'),
      hash(example.caller, 16),
      number(7, 1),
      ...Object.values(example.parts).map((text) => hash(text, 6)),
      Buffer.alloc(2),
      number(Number(example.version), 6),
      Buffer.from(example.tag, 'hex'),
      ...[example.order, example.total, ...example.position].map((value) =>
        value === null ? number(0, 2) : Buffer.concat([number(value.length + 1, 2), Buffer.from(value)]),
      ),
    ]),
  )
  expect(Object.keys(example.parts)).toEqual(identityParts)
})

it('P11: a token with any byte changed, removed or added is refused', () => {
  const sealer = tokenSealer(keys)
  const bytes = Buffer.from(token, 'base64url')
  for (let i = 0; i < bytes.length; i += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(i) ^ 1, i)
    expect(sealer.open(changed.toString('base64url'))).toBeUndefined()
    expect(sealer.open(bytes.subarray(0, i).toString('base64url'))).toBeUndefined()
  }
  expect(sealer.open(`${token}AAAA`)).toBeUndefined()
})

const front = (text: string) => Buffer.from(text, 'base64url').subarray(0, 22).toString('hex')

it('P13: two processes with one key never seal with the same bytes in front', () => {
  const claims = { walk, issuedAtSeconds, binding }
  const [one, two] = [tokenSealer(keys), tokenSealer(keys)]
  const tokens = [one.seal(claims), one.seal(claims), two.seal(claims), two.seal(claims)]
  expect(new Set(tokens.map(front)).size).toBe(4)
  for (const sealed of tokens) expect(tokenSealer(keys).open(sealed)).toEqual(claims)
})

it('a token opens to its claims when it comes back, when it comes again, and after others were sealed', () => {
  const sealer = tokenSealer(keys)
  const claimsOf = (i: number) => ({ walk: { ...walk, position: [`\u00ff ${i}`] }, issuedAtSeconds, binding })
  const tokens = Array.from({ length: 2_500 }, (_, i) => sealer.seal(claimsOf(i)))
  for (const [i, sealed] of tokens.entries()) {
    expect(sealer.open(sealed)).toEqual(claimsOf(i))
    expect(sealer.open(sealed)).toEqual(claimsOf(i))
  }
})

it('a token of a release that binds one part more opens, and one that binds a part less does not', () => {
  const sealer = tokenSealer(keys)
  const now = new Date(issuedAtSeconds * 1000)
  const bound = (parts: number, bytes: Buffer) => {
    const changed = Buffer.from(bytes)
    changed[callerBytes] = parts
    return sealer.seal({ walk: { ...walk, mode: { kind: 'default' } }, issuedAtSeconds, binding: changed })
  }
  const more = bound(identityParts.length + 1, Buffer.concat([binding, Buffer.alloc(partBytes, 7)]))
  expect(openPageToken(sealer, more, { binding, now })).toMatchObject({ id: walk.id })
  const fewer = bound(identityParts.length - 1, binding.subarray(0, -partBytes))
  expect(() => openPageToken(sealer, fewer, { binding, now })).toThrow(
    expect.objectContaining({ parameters: { reason: 'requestChanged', changed: ['snapshot'] } }),
  )
})

it('P12: a token is never refused before its life is over, however late in a second it was sealed', () => {
  const sealer = tokenSealer(keys, 2)
  const sealedAt = new Date(issuedAtSeconds * 1000 + 999)
  const sealed = sealPageToken(sealer, walk, { binding, now: sealedAt })
  const after = (milliseconds: number) => new Date(sealedAt.getTime() + milliseconds)
  expect(openPageToken(sealer, sealed, { binding, now: after(1_999) })).toEqual(walk)
  expect(() => openPageToken(sealer, sealed, { binding, now: after(3_000) })).toThrow(
    expect.objectContaining({ parameters: { reason: 'expired' } }),
  )
})

it('P10: with room for its position, the length of a token does not depend on it, and it opens to the same claims', () => {
  const sealer = tokenSealer(keys, 900)
  const room = positionRoom(['string', 'string', 'string', 'string', 'string'])
  const positions = [
    [null, null, null, null, 'a'],
    ['', 'b', '\u00ff', '', 'c'],
    ['a', 'b', 'c', 'd', 'e'].map((text) => text.repeat(limits.value.primaryKeyBytes)),
  ]
  const lengths = positions.map((position) => {
    const claims = { walk: { ...walk, position }, issuedAtSeconds, binding }
    const sealed = sealer.seal(claims, room)
    expect(tokenSealer(keys, 900).open(sealed)).toEqual(claims)
    return sealed.length
  })
  expect(new Set(lengths).size).toBe(1)
  expect(lengths[0]).toBeLessThan(limits.pageToken.characters)
})
