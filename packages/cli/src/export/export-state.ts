// The saved state of an export, from which it resumes: for each part of it, the saved walk, and how many bytes of the part's file
// precede it. An export that was not split has one part.
import { readFile, rm } from 'node:fs/promises'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { wrongUse } from '../base/cli-error.ts'
import { writeWhole } from '../base/write-whole.ts'
import { exportFormats } from './export-format.ts'

const partStateSchema = Type.Object({
  /** The client's saved walk; it holds no credentials. */
  walk: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  objects: Type.Integer({ minimum: 0 }),
})
export type PartState = Static<typeof partStateSchema>

const exportStateSchema = Type.Object({
  kind: Type.Literal('octavo-export'),
  url: Type.String(),
  ontologyRid: Type.String(),
  objectType: Type.String(),
  format: Type.Enum([...exportFormats]),
  /** The query as JSON. */
  query: Type.String(),
  /** The snapshot token that was given. */
  at: Type.Optional(Type.String()),
  /** Empty until there is something to resume. */
  parts: Type.Array(partStateSchema),
  version: Type.Optional(Type.String()),
  total: Type.Optional(Type.Integer()),
  /** Of all parts together. */
  checksum: Type.Optional(Type.String()),
})
export type ExportState = Static<typeof exportStateSchema>

/** Undefined if there is no saved state. */
export async function readExportState(path: string): Promise<ExportState | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const state: unknown = parsed(text)
  if (Value.Check(exportStateSchema, state)) return state
  throw wrongUse(`${path} is not the state of an export: start over with --restart.`)
}

export async function writeExportState(path: string, state: ExportState): Promise<void> {
  await writeWhole(path, `${JSON.stringify(state, undefined, 2)}\n`)
}

export const removeExportState = (path: string): Promise<void> => rm(path, { force: true })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
