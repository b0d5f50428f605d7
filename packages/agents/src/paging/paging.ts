// A page token of a tool: Octavo's own, with the progress that the next answer repeats: how much of the walk the agent has read, and of how
// much. It is sealed for its caller and its request, so that a digit that a model copies wrong is an error and not another walk (P375).
import { createHash } from 'node:crypto'
import type { Total } from '../ask/object-state.ts'
import { ToolError } from '../ask/tool-error.ts'
import { jsonOf } from '../ask/json-of.ts'

interface CallPosition {
  /** Items in the answers before. */
  readonly seen: number
  /** Absent where it is not known before the end. */
  readonly total?: Total
  /** Octavo's own; empty where only the tool cuts its answers. */
  readonly pageToken: string
}

export interface Sealer {
  readonly seal: (bytes: Buffer) => string
  /** Returns undefined for any text that it has not sealed. */
  readonly open: (token: string) => Buffer | undefined
}

export type Arguments = Readonly<Record<string, unknown>>

/** The paging of one call of a tool. */
export interface Paging {
  /** Where the call continues; undefined for a first call. */
  readonly from: CallPosition | undefined
  /** What `next` holds: these arguments, which replace those of the call, and the page token that goes with them. */
  readonly next: (position: CallPosition, replaced: Arguments) => object
}

interface Call {
  readonly caller: string
  readonly tool: string
  readonly given: Arguments
}

export function pagingOf(sealer: Sealer, call: Call): Paging {
  const { pageToken } = call.given
  return {
    from: typeof pageToken === 'string' ? openPosition(sealer, call, pageToken) : undefined,
    next: (position, replaced) => ({
      ...replaced,
      pageToken: sealPosition(sealer, { ...call, given: { ...call.given, ...replaced } }, position),
    }),
  }
}

const fingerprintBytes = 16
const shape = /^(\d+) (\d*)(\+?)$/

function sealPosition(sealer: Sealer, call: Call, { seen, total, pageToken }: CallPosition): string {
  const progress = `${seen} ${total?.objects ?? ''}${total?.isBound ? '+' : ''}`
  return sealer.seal(
    Buffer.concat([fingerprint(call), Buffer.from(`${progress}\0`), Buffer.from(pageToken, 'base64url')]),
  )
}

function openPosition(sealer: Sealer, call: Call, token: string): CallPosition {
  const bytes = sealer.open(token)
  if (bytes === undefined) {
    throw new ToolError(
      'This is no pageToken of this tool. Copy it whole from "next" of the last answer, or leave it out to begin again.',
    )
  }
  if (!bytes.subarray(0, fingerprintBytes).equals(fingerprint(call))) {
    throw new ToolError(
      'This pageToken is of another caller, or goes with other arguments. Send the arguments of the call before with those in its "next", or leave it out to begin again.',
    )
  }
  const end = bytes.indexOf(0, fingerprintBytes)
  const [, seen = '', objects = '', bound] = shape.exec(bytes.toString('latin1', fingerprintBytes, end)) ?? []
  return {
    seen: Number(seen),
    ...(objects !== '' && { total: { objects, isBound: bound === '+' } }),
    pageToken: bytes.toString('base64url', end + 1),
  }
}

/** Only the size of an answer may be another one than before. */
function fingerprint({ caller, tool, given }: Call): Buffer {
  const { pageToken: _token, pageSize: _size, ...request } = given
  const hash = createHash('sha256').update(jsonOf([caller, tool, request], inOrder))
  return hash.digest().subarray(0, fingerprintBytes)
}

/** Models write the fields of an object in any order. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
