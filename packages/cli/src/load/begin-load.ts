// A load starts new or resumes; the command never guesses which.
import { randomUUID } from 'node:crypto'
import { wrongUse } from '../base/cli-error.ts'
import type { MissingColumns } from '../records/csv-header.ts'
import type { RecordFormat } from '../records/read-records.ts'
import { fileIdentity, readLoadState, removeLoadState, writeLoadState, type LoadState } from './load-state.ts'

export interface LoadBeginning {
  readonly name: string
  readonly url: string
  readonly ontologyRid: string
  readonly objectType: string
  readonly format: RecordFormat
  readonly delimiter: string
  readonly missing: MissingColumns
  readonly batchBytes: number
  readonly rejectedFile: string
}

interface SavedLoadBeginning extends Omit<LoadBeginning, 'rejectedFile'> {
  readonly path: string
  readonly statePath: string
  /** Chosen if the load is new. */
  readonly rejectedFile: () => string
  readonly discard: (rejectedFile: string) => Promise<void>
  readonly how: 'start' | 'resume' | 'restart'
}

export async function beginLoad(load: SavedLoadBeginning): Promise<LoadState> {
  const { name, statePath, how } = load
  if (how === 'restart') {
    const before = await readLoadState(statePath).catch(() => undefined)
    if (before !== undefined) await load.discard(before.rejectedFile)
    await removeLoadState(statePath)
  }
  const file = await fileIdentity(load.path)
  const found = await readLoadState(statePath)
  if (found === undefined) {
    const state = newLoad({ ...load, rejectedFile: load.rejectedFile() }, file)
    // Saved before anything is sent: a load that is killed immediately must be able to resume with the same idempotency
    // keys.
    await writeLoadState(statePath, state)
    return state
  }
  if (how !== 'resume') {
    throw wrongUse(
      `A load of ${name} was not finished: ${statePath} says it stopped at line ${found.line}. Continue with --resume, or start over with --restart.`,
    )
  }
  const differences = [
    found.objectType !== load.objectType && `it loaded ${found.objectType}, not ${load.objectType}`,
    found.ontologyRid !== load.ontologyRid && `it loaded into the ontology ${found.ontologyRid}`,
    found.url !== load.url && `it was sent to ${found.url}`,
    load.missing !== 'refused' &&
      load.missing !== found.missing &&
      'it was begun without this --merge or --columns-are-whole',
    JSON.stringify(found.file) !== JSON.stringify(file) && 'the file has changed since then',
  ].filter((difference) => difference !== false)
  if (differences.length === 0) return found
  throw wrongUse(
    `The load of ${name} in ${statePath} cannot be resumed: ${differences.join(', and ')}. Repeat the command as it was, or start over with --restart.`,
  )
}

/** A load of standard input cannot resume, so its state is not saved. */
export const unsavedLoad = (load: LoadBeginning): LoadState =>
  newLoad(load, { size: 0, modifiedAt: '', beginningHash: '' })

function newLoad(load: LoadBeginning, file: LoadState['file']): LoadState {
  const { url, ontologyRid, objectType, batchBytes, format, delimiter, missing, rejectedFile } = load
  return {
    kind: 'octavo-load',
    loadId: randomUUID(),
    url,
    ontologyRid,
    objectType,
    file,
    batchBytes,
    format,
    delimiter,
    missing,
    byte: 0,
    line: 1,
    counts: { records: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 },
    version: '',
    rejectedFile,
    rejectedBytes: 0,
    milliseconds: 0,
    isDone: false,
  }
}
