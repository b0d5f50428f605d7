// An export to files, which get their names when it is certain that they hold all of it.
import { rm } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { sumOfChecksums } from '@octavo/client'
import type { CommandContext } from '../base/command-context.ts'
import { aboutFile, fileErrorOf } from '../base/file-error.ts'
import { showProgress } from '../progress/progress.ts'
import { beginExport } from './begin-export.ts'
import { checkWritten } from './check-written.ts'
import { explainedExport } from './explain-export.ts'
import { besideExport, exportFiles, type ExportFiles } from './export-files.ts'
import { lockExport } from './export-lock.ts'
import { checkExport, type ExportWalk, type OpenedExport } from './export-partitions.ts'
import { objectsOf, removeExportState, writeExportState, type ExportState } from './export-state.ts'
import type { ExportOptions } from './export-options.ts'
import {
  continueUnfinished,
  createUnfinished,
  nothingWritten,
  type UnfinishedFile,
  type Written,
} from './unfinished-file.ts'
import { writePartitions } from './write-partitions.ts'
import type { WrittenWalk } from './write-walk.ts'
import { writersOf } from './writers-of.ts'

export interface FileExport {
  readonly out: string
  readonly path: string
  readonly fresh: Omit<ExportState, 'out'>
  readonly options: ExportOptions
  readonly open: (begun: ExportState) => Promise<OpenedExport>
  readonly stop: AbortController
}

export async function exportToFile(context: CommandContext, given: FileExport): Promise<ExportState> {
  const { out, path } = given
  const beside = besideExport(path)
  const unlock = await aboutFile(out, () => lockExport(beside.lock, out))
  try {
    const fresh = { ...given.fresh, out: relative(dirname(beside.state), path) }
    const begun = await aboutFile(out, () =>
      beginExport({ out, path, statePath: beside.state, fresh, how: given.options.how }),
    )
    const opened = await given.open(begun)
    return await writeFiles(context, {
      ...given,
      opened,
      statePath: beside.state,
      isResumed: begun.partitions.length > 0,
    })
  } finally {
    await unlock()
  }
}

interface OpenedFiles extends FileExport {
  readonly opened: OpenedExport
  readonly statePath: string
  readonly isResumed: boolean
}

async function writeFiles(context: CommandContext, given: OpenedFiles): Promise<ExportState> {
  const { out, path, opened, statePath, isResumed, options } = given
  const { state, walks } = opened
  const files = exportFiles(path, walks.length)
  const targets = await aboutFile(out, () =>
    isResumed ? continueAll(files.written, state.partitions) : createAll(files.written),
  )
  /** Present if the export can be resumed. */
  let saved = state
  let saving = Promise.resolve()
  const save = async (partition: number, walk: WrittenWalk, sofar: ExportState): Promise<void> => {
    // On the disk before the state that counts it: a crash of the machine could otherwise leave less than was counted.
    const written = await targets[partition]?.written()
    if (written === undefined) return
    saved = { ...sofar, partitions: saved.partitions.with(partition, { ...walk, ...written }) }
    saving = saving.then(() => writeExportState(statePath, saved))
    await saving
  }
  try {
    if (!isResumed) await writeExportState(statePath, saved)
    const ended = await writePartitions(context, {
      ...opened,
      writers: writersOf(options, targets, files),
      save: options.format === 'parquet' ? undefined : save,
      stop: given.stop,
    })
    checkExport(ended, walks)
    const written = await Promise.all(targets.map((target) => target.written()))
    for (const target of targets) await target.close()
    await files.join()
    await checkFiles(context, { files, written, walks, options })
    await files.name()
    await removeExportState(statePath)
    return ended
  } catch (error) {
    for (const target of targets) await target.close().catch(() => {})
    // A file that cannot be resumed is of no use.
    if (options.format === 'parquet' || objectsOf(saved) === 0) {
      await files.remove()
      await removeExportState(statePath)
    }
    throw explainedExport(fileErrorOf(error, out) ?? error, context, options)
  }
}

async function createAll(paths: readonly string[]): Promise<readonly UnfinishedFile[]> {
  const made: string[] = []
  try {
    return await openAll(paths, async (path) => {
      const file = await createUnfinished(path)
      made.push(path)
      return file
    })
  } catch (error) {
    for (const path of made) await rm(path)
    throw error
  }
}

const continueAll = (
  paths: readonly string[],
  written: readonly Written[],
): Promise<readonly UnfinishedFile[]> =>
  openAll(paths, (path, i) => continueUnfinished(path, written[i] ?? nothingWritten))

/** All of them, or none. */
async function openAll(
  paths: readonly string[],
  open: (path: string, i: number) => Promise<UnfinishedFile>,
): Promise<readonly UnfinishedFile[]> {
  const opened: UnfinishedFile[] = []
  try {
    for (const [i, path] of paths.entries()) opened.push(await open(path, i))
    return opened
  } catch (error) {
    for (const file of opened) await file.close()
    throw error
  }
}

interface WrittenFiles {
  readonly files: ExportFiles
  readonly written: readonly Written[]
  readonly walks: readonly ExportWalk[]
  readonly options: ExportOptions
}

async function checkFiles(
  { output, stopAsked }: CommandContext,
  { files, written, walks, options }: WrittenFiles,
): Promise<void> {
  const [first = ''] = files.written
  const all = written.reduce((sum, { bytes }) => sum + bytes, 0)
  let read = 0
  const progress = showProgress(
    output,
    () => `reading what was written: ${Math.floor((read / Math.max(1, all)) * 100)} %`,
  )
  try {
    await checkWritten({
      ...options,
      files: files.areApart
        ? files.written.map((path, i) => ({ path, written: [written[i] ?? nothingWritten] }))
        : [{ path: first, written }],
      received: {
        objects: walks.reduce((sum, { received }) => sum + received.objects, 0),
        checksum: sumOfChecksums(walks.map(({ received }) => received.checksum)),
      },
      signal: stopAsked,
      onRead: (bytes) => (read += bytes),
    })
  } finally {
    progress.stop()
  }
}
