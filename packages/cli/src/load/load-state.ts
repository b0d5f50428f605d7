// The saved state of a load, from which it resumes after Ctrl-C, a crash or a lost connection. It is written before anything
// is sent and after every batch that is known to be applied, always atomically.
import { createHash } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { wrongUse } from '../base/cli-error.ts'
import { writeWhole } from '../base/write-whole.ts'
import { beginningOf } from '../records/open-input.ts'

const fileIdentitySchema = Type.Object({
  size: Type.Integer(),
  modifiedAt: Type.String(),
  /** A hash of its first bytes. */
  beginningHash: Type.String(),
})
export type FileIdentity = Static<typeof fileIdentitySchema>

const count = Type.Integer({ minimum: 0 })

const loadStateSchema = Type.Object({
  kind: Type.Literal('octavo-load'),
  loadId: Type.String(),
  url: Type.String(),
  ontologyRid: Type.String(),
  objectType: Type.String(),
  file: fileIdentitySchema,
  /** Batches of another size would have other idempotency keys. */
  batchBytes: count,
  format: Type.Union([Type.Literal('ndjson'), Type.Literal('csv')]),
  delimiter: Type.String(),
  /** Saved since records can be merged; a load that was begun before puts them. */
  missing: Type.Optional(Type.Enum(['refused', 'empty', 'kept'])),
  /** The id of the service's load that the batches are parts of; absent if each is applied at once. */
  load: Type.Optional(Type.String()),
  /** Everything before this byte and line is applied, stored as a part or rejected. */
  byte: count,
  line: count,
  counts: Type.Object({
    records: count,
    created: count,
    updated: count,
    unchanged: count,
    rejected: count,
  }),
  /** The greatest version of the load's commits; empty before the first. */
  version: Type.String(),
  rejectedFile: Type.String(),
  /** The length of the file of rejected records up to this point of the input. */
  rejectedBytes: count,
  /** The same for the file of reasons. */
  reasonsBytes: Type.Optional(count),
  milliseconds: count,
  /** This file is loaded; other files of the same command may not be. */
  isDone: Type.Boolean(),
})
export type LoadState = Static<typeof loadStateSchema>

const identityBytes = 64 * 1024

export async function fileIdentity(path: string): Promise<FileIdentity> {
  const { size, mtime } = await stat(path)
  const beginningHash = createHash('sha256')
    .update(await beginningOf(path, identityBytes))
    .digest('hex')
  return { size, modifiedAt: mtime.toISOString(), beginningHash }
}

/** Undefined if the file does not exist. */
export async function readLoadState(path: string): Promise<LoadState | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const state: unknown = parsed(text)
  if (Value.Check(loadStateSchema, state)) return state
  throw wrongUse(
    `${path} is not the state of a load: name another file with --state, or start over with --restart.`,
  )
}

export async function writeLoadState(path: string, state: LoadState): Promise<void> {
  await writeWhole(path, `${JSON.stringify(state, undefined, 2)}\n`)
}

export const removeLoadState = (path: string): Promise<void> => rm(path, { force: true })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
