// The claims of a snapshot token as bytes. docs/reference/page-tokens.md is the format; change the two together.
import { invariant } from '../../base/errors/invariant.ts'

/** One state of some object types of an ontology. */
export interface NamedSnapshot {
  readonly ontologyRid: string
  /** By the number of the object type. */
  readonly versions: ReadonlyMap<number, NamedVersion>
}

export interface NamedVersion {
  readonly version: string
  readonly tag: string
}

const lengthBytes = 1
const typeBytes = 4
const versionBytes = 8
const tagBytes = 8
const entryBytes = typeBytes + versionBytes + tagBytes

export function encodeSnapshot({ ontologyRid, versions }: NamedSnapshot): Buffer {
  const rid = Buffer.from(ontologyRid)
  const bytes = Buffer.alloc(lengthBytes + rid.length + versions.size * entryBytes)
  bytes.writeUInt8(rid.length, 0)
  let at = lengthBytes + rid.copy(bytes, lengthBytes)
  for (const [type, { version, tag }] of versions) {
    bytes.writeUInt32BE(type, at)
    bytes.writeBigInt64BE(BigInt(version), at + typeBytes)
    bytes.write(tag, at + typeBytes + versionBytes, 'hex')
    at += entryBytes
  }
  return bytes
}

/** Decodes bytes that have been authenticated, so some instance of this service wrote them. */
export function decodeSnapshot(bytes: Buffer): NamedSnapshot {
  const versionsAt = lengthBytes + bytes.readUInt8(0)
  const versions = new Map<number, NamedVersion>()
  let at = versionsAt
  for (; at + entryBytes <= bytes.length; at += entryBytes) {
    const tagAt = at + typeBytes + versionBytes
    versions.set(bytes.readUInt32BE(at), {
      version: String(bytes.readBigInt64BE(at + typeBytes)),
      tag: bytes.toString('hex', tagAt, tagAt + tagBytes),
    })
  }
  invariant(at === bytes.length, 'claims-shorter-than-their-format')
  return { ontologyRid: bytes.toString('utf8', lengthBytes, versionsAt), versions }
}
