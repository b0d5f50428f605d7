import { limits } from '@octavo/protocol'
import type { PageTokenKey } from '../../config/page-token-key.ts'
import { byteSealer, type ByteSealer } from './byte-sealer.ts'
import { decodeSnapshot, encodeSnapshot, type NamedSnapshot } from './snapshot-claims.ts'
import { decodeClaims, encodeClaims, type TokenClaims } from './token-claims.ts'

export interface TokenSealer {
  /** How long after it was sealed a page token is still accepted (P12). */
  readonly lifeSeconds: number
  /** With `positionRoom`, the length of the token does not reveal the length of its position. */
  readonly seal: (claims: TokenClaims, positionRoom?: number) => string
  /** Returns undefined for any text that no instance with one of our keys has sealed. */
  readonly open: (token: string) => TokenClaims | undefined
  readonly sealSnapshot: (snapshot: NamedSnapshot) => string
  readonly openSnapshot: (token: string) => NamedSnapshot | undefined
  /** Of the page tokens of agents, which hold more than a page token (P375). */
  readonly places: ByteSealer
}

export function tokenSealer(
  keys: readonly [PageTokenKey, ...PageTokenKey[]],
  lifeSeconds: number = limits.pageToken.lifeSeconds,
): TokenSealer {
  const pages = byteSealer(keys, { firstByte: 1, name: 'octavo page token' })
  // Its own kind: taken for a page token, it would be a walk to the end of the collection.
  const partitions = byteSealer(keys, { firstByte: 3, name: 'octavo partition token' })
  const snapshots = byteSealer(keys, { firstByte: 2, name: 'octavo snapshot token' })
  return {
    lifeSeconds,
    places: byteSealer(keys, { firstByte: 5, name: 'octavo place of an agent' }),
    seal: (claims, positionRoom) =>
      (claims.walk.partition === undefined ? pages : partitions).seal(encodeClaims(claims, positionRoom)),
    open: (token) => {
      const page = pages.open(token)
      if (page !== undefined) return decodeClaims(page)
      const partition = partitions.open(token)
      return partition && decodeClaims(partition, true)
    },
    sealSnapshot: (snapshot) => snapshots.seal(encodeSnapshot(snapshot)),
    openSnapshot: (token) => {
      const bytes = snapshots.open(token)
      return bytes && decodeSnapshot(bytes)
    },
  }
}
