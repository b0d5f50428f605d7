// The claims of a page token as bytes. docs/reference/page-tokens.md is the format; change the two together.
//
// Every page opens one token and seals one, so the bytes are read and written in place: making a slice of the buffer for each
// claim takes more time than the claim itself.
import { invariant } from '../../base/errors/invariant.ts'
import type { Walk, WalkMode } from './walk.ts'
import { limits, type ScalarType } from '@octavo/protocol'

export interface TokenClaims {
  readonly walk: Walk
  readonly issuedAtSeconds: number
  /** The caller and the request that the token belongs to: see token-binding.ts. */
  readonly binding: Buffer
}

export const callerBytes = 16
export const partBytes = 6

const issuedAt = 1
const servedAt = issuedAt + 5
const walkIdAt = servedAt + 4
const bindingAt = walkIdAt + 8
const partsAt = bindingAt + callerBytes
const versionBytes = 8
const tagBytes = 8
const lengthBytes = 2

/** PostgreSQL texts never hold this character, so a text that begins with it is not a value of a position. */
const filler = '\0'

/** With `room`, all positions that fit into it give the same number of bytes. */
export function encodeClaims({ walk, issuedAtSeconds, binding }: TokenClaims, room?: number): Buffer {
  const { mode } = walk
  const position = walk.position ?? []
  const fill = fillerOf(walk, room === undefined ? undefined : Math.max(0, room - bytesOf(position)))
  const end = walk.partition === undefined ? [] : [walk.partition.end ?? null]
  const texts = [walk.order ?? null, walk.total ?? null, ...end, ...position, ...fill]
  const bytes = Buffer.allocUnsafe(sizeOf(mode, binding, texts))
  bytes[0] = mode.kind === 'snapshot' ? 1 : 0
  bytes.writeUIntBE(issuedAtSeconds, issuedAt, 5)
  bytes.writeUInt32BE(walk.served, servedAt)
  bytes.write(walk.id, walkIdAt, 'hex')
  let at = bindingAt + binding.copy(bytes, bindingAt)
  if (mode.kind === 'snapshot') {
    bytes.writeBigInt64BE(BigInt(mode.version), at)
    bytes.write(mode.tag, at + versionBytes, 'hex')
    at += versionBytes + tagBytes
  }
  for (const text of texts) {
    // 0 stands for null; any other number is one more than the length that follows.
    const length = text === null ? 0 : bytes.write(text, at + lengthBytes) + 1
    bytes.writeUInt16BE(length, at)
    at += lengthBytes + Math.max(0, length - 1)
  }
  return bytes
}

/** The last text, if it is needed: zero bytes as padding, then the states of the other types that a snapshot walk reads. */
function fillerOf({ linked }: Walk, zeros: number | undefined): readonly string[] {
  const states = [...(linked ?? [])].map(([type, { version, tag }]) => `${type} ${version} ${tag}`).join(',')
  return zeros === undefined && states === '' ? [] : [filler.repeat((zeros ?? 0) + 1) + states]
}

function linkedIn(text: string): Pick<Walk, 'linked'> {
  const states = text.replaceAll(filler, '')
  if (states === '') return {}
  const each = states.split(',').map((state): [number, { version: string; tag: string }] => {
    const [type, version = '', tag = ''] = state.split(' ')
    return [Number(type), { version, tag }]
  })
  return { linked: new Map(each) }
}

function sizeOf(mode: WalkMode, binding: Buffer, texts: readonly (string | null)[]): number {
  return (
    bindingAt + binding.length + (mode.kind === 'snapshot' ? versionBytes + tagBytes : 0) + bytesOf(texts)
  )
}

function bytesOf(texts: readonly (string | null)[]): number {
  let size = 0
  for (const text of texts) size += lengthBytes + (text === null ? 0 : Buffer.byteLength(text))
  return size
}

/**
 * Decodes bytes that have been authenticated, so some instance of this service wrote them. Whether they are of a partition of a
 * collection, the kind of the token says.
 */
export function decodeClaims(bytes: Buffer, isPartition = false): TokenClaims {
  const reach = (end: number): number => {
    invariant(end <= bytes.length, 'claims-shorter-than-their-format')
    return end
  }
  reach(partsAt + 1)
  const bindingEnd = reach(partsAt + 1 + bytes.readUInt8(partsAt) * partBytes)
  const isSnapshot = bytes[0] === 1
  let at = isSnapshot ? reach(bindingEnd + versionBytes + tagBytes) : bindingEnd
  const snapshot = isSnapshot && {
    kind: 'snapshot' as const,
    version: String(bytes.readBigInt64BE(bindingEnd)),
    tag: bytes.toString('hex', bindingEnd + versionBytes, at),
  }
  const texts: (string | null)[] = []
  while (at < bytes.length) {
    const start = reach(at + lengthBytes)
    const length = bytes.readUInt16BE(at)
    at = length === 0 ? start : reach(start + length - 1)
    texts.push(length === 0 ? null : bytes.toString('utf8', start, at))
  }
  const rest = texts.at(-1)?.startsWith(filler) ? (texts.pop() ?? '') : ''
  const mode: WalkMode = snapshot || { kind: 'default' }
  const [order, total] = texts
  const partition = isPartition ? { end: texts[2] ?? undefined } : undefined
  const position = texts.slice(isPartition ? 3 : 2)
  return {
    walk: {
      id: bytes.toString('hex', walkIdAt, bindingAt),
      mode,
      order: order ?? undefined,
      total: total ?? undefined,
      served: bytes.readUInt32BE(servedAt),
      position: position.length === 0 ? undefined : position,
      ...(partition !== undefined && { partition }),
      ...(isSnapshot && linkedIn(rest)),
    },
    issuedAtSeconds: bytes.readUIntBE(issuedAt, 5),
    binding: bytes.subarray(bindingAt, bindingEnd),
  }
}

/** More bytes than any number, date or boolean takes as text. */
const mostOfOthers = 64

/** The largest number of bytes of a position in an order whose keys have these types. */
export const positionRoom = (scalars: readonly ScalarType[]): number =>
  scalars.reduce(
    (sum, scalar) => sum + lengthBytes + (scalar === 'string' ? limits.value.primaryKeyBytes : mostOfOthers),
    0,
  )
