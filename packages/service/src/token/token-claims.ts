// The claims of a page token as bytes. docs/reference/page-tokens.md is the format; change the two together.
import { invariant } from '../errors/invariant.ts'
import type { Walk, WalkMode } from './walk.ts'

export interface TokenClaims {
  readonly walk: Walk
  readonly issuedAtSeconds: number
  /** Fingerprints of the caller and of each part of the request, in a fixed order. */
  readonly caller: Buffer
  readonly parts: readonly Buffer[]
}

export const callerBytes = 16
export const partBytes = 6
const walkIdBytes = 8
const tagBytes = 8

export function encodeClaims({ walk, issuedAtSeconds, caller, parts }: TokenClaims): Buffer {
  const head = Buffer.alloc(1 + 5 + 4 + walkIdBytes)
  head.writeUInt8(walk.mode.kind === 'snapshot' ? 1 : 0, 0)
  head.writeUIntBE(issuedAtSeconds, 1, 5)
  head.writeUInt32BE(walk.served, 6)
  head.write(walk.id, 10, 'hex')
  const snapshot =
    walk.mode.kind === 'snapshot' ? [bigintBytes(walk.mode.version), Buffer.from(walk.mode.tag, 'hex')] : []
  return Buffer.concat([
    head,
    caller,
    Buffer.from([parts.length]),
    ...parts,
    ...snapshot,
    ...textBytes([walk.order ?? null, walk.total ?? null, ...walk.position]),
  ])
}

function textBytes(texts: readonly (string | null)[]): readonly Buffer[] {
  return texts.flatMap((value) => {
    // 0 stands for null; any other number is one more than the length that follows.
    if (value === null) return [Buffer.from([0, 0])]
    const text = Buffer.from(value)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(text.length + 1)
    return [length, text]
  })
}

const bigintBytes = (text: string): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(text))
  return bytes
}

/** Of bytes that were authenticated, so they are as some instance of this service wrote them. */
export function decodeClaims(bytes: Buffer): TokenClaims {
  let at = 0
  const take = (length: number) => {
    invariant(at + length <= bytes.length, 'claims-shorter-than-their-format')
    at += length
    return bytes.subarray(at - length, at)
  }
  const kind = take(1).readUInt8()
  const issuedAtSeconds = take(5).readUIntBE(0, 5)
  const served = take(4).readUInt32BE()
  const id = take(walkIdBytes).toString('hex')
  const caller = take(callerBytes)
  const parts = Array.from({ length: take(1).readUInt8() }, () => take(partBytes))
  const mode: WalkMode =
    kind === 1
      ? { kind: 'snapshot', version: String(take(8).readBigInt64BE()), tag: take(tagBytes).toString('hex') }
      : { kind: 'default' }
  const texts: (string | null)[] = []
  while (at < bytes.length) {
    const length = take(2).readUInt16BE()
    texts.push(length === 0 ? null : take(length - 1).toString())
  }
  const [order, total, ...position] = texts
  return {
    walk: { id, mode, order: order ?? undefined, total: total ?? undefined, served, position },
    issuedAtSeconds,
    caller,
    parts,
  }
}
