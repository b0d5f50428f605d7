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
  /** What the caller of the token may read (viewOf); undefined for everything. */
  readonly view?: string | undefined
}

const lengthBytes = 1
const typeBytes = 4
const versionBytes = 8
const tagBytes = 8
export const viewBytes = 8
const viewAt = typeBytes + versionBytes + tagBytes
const entryBytes = viewAt + viewBytes
const noView = '0'.repeat(2 * viewBytes)

export function encodeSnapshot({ ontologyRid, versions }: NamedSnapshot): Buffer {
  const rid = Buffer.from(ontologyRid)
  const bytes = Buffer.alloc(lengthBytes + rid.length + versions.size * entryBytes)
  bytes.writeUInt8(rid.length, 0)
  let at = lengthBytes + rid.copy(bytes, lengthBytes)
  for (const [type, { version, tag, view = noView }] of versions) {
    bytes.writeUInt32BE(type, at)
    bytes.writeBigInt64BE(BigInt(version), at + typeBytes)
    bytes.write(tag, at + typeBytes + versionBytes, 'hex')
    bytes.write(view, at + viewAt, 'hex')
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
    const view = bytes.toString('hex', at + viewAt, at + entryBytes)
    versions.set(bytes.readUInt32BE(at), {
      version: String(bytes.readBigInt64BE(at + typeBytes)),
      tag: bytes.toString('hex', tagAt, tagAt + tagBytes),
      view: view === noView ? undefined : view,
    })
  }
  invariant(at === bytes.length, 'claims-shorter-than-their-format')
  return { ontologyRid: bytes.toString('utf8', lengthBytes, versionsAt), versions }
}
