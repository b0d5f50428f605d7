// The saved state of an export, from which it resumes: for each partition of it, the saved walk, and what the partition's file holds by then.
// An export that was not split has one partition. The state also says that these files are ours.
import { readFile, rm } from 'node:fs/promises'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { writeWhole } from '../base/write-whole.ts'
import { exportFormats } from './export-format.ts'
import { ownerOnly } from './unfinished-file.ts'

const partitionStateSchema = Type.Object({
  /** The client's saved walk; it holds no credentials. */
  walk: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** Of these bytes. */
  digest: Type.String(),
  objects: Type.Integer({ minimum: 0 }),
})
export type PartitionState = Static<typeof partitionStateSchema>

const exportStateSchema = Type.Object({
  kind: Type.Literal('octavo-export'),
  url: Type.String(),
  ontologyRid: Type.String(),
  objectType: Type.String(),
  /** The name of the file, seen from the folder of the state. */
  out: Type.String(),
  format: Type.Enum([...exportFormats]),
  /** What the file begins with: of CSV, the names of the properties. */
  header: Type.String(),
  escapesFormulas: Type.Boolean(),
  /** The query as JSON. */
  query: Type.String(),
  /** The snapshot token that was given. */
  at: Type.Optional(Type.String()),
  partitions: Type.Array(partitionStateSchema),
  version: Type.Optional(Type.String()),
  total: Type.Optional(Type.Integer()),
  /** Of all partitions together. */
  checksum: Type.Optional(Type.String()),
})
export type ExportState = Static<typeof exportStateSchema>

/** Undefined if there is none, and null if the file is not the state of an export. */
export async function readExportState(path: string): Promise<ExportState | undefined | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const state: unknown = parsed(text)
  return Value.Check(exportStateSchema, state) ? state : null
}

export async function writeExportState(path: string, state: ExportState): Promise<void> {
  await writeWhole(path, `${JSON.stringify(state, undefined, 2)}\n`, { mode: ownerOnly })
}

export const removeExportState = (path: string): Promise<void> => rm(path, { force: true })

export const objectsOf = ({ partitions }: Pick<ExportState, 'partitions'>): number =>
  partitions.reduce((sum, { objects }) => sum + objects, 0)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
