// `octavo load`: loads one file after another, with progress, a summary, and advice if it stops early.
import { basename, resolve } from 'node:path'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import { findObjectType } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { jsonLine } from '../output/output.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'
import type { MissingColumns } from '../records/csv-header.ts'
import { openInput, type Input } from '../records/open-input.ts'
import { formatOf, type RecordFormat } from '../records/read-records.ts'
import { beginLoad, unsavedLoad } from './begin-load.ts'
import { loadFile, type AppliedFacts } from './load-file.ts'
import { loadSummary, sumOf } from './load-summary.ts'
import { removeLoadState, writeLoadState, type LoadState } from './load-state.ts'

export interface LoadOptions {
  readonly objectType: string
  readonly files: readonly string[]
  readonly format?: RecordFormat
  readonly delimiter: string
  readonly missing: MissingColumns
  readonly batchBytes: number
  readonly mostAtOnce: number
  readonly mostRejected: number
  readonly retrySeconds: number
  readonly rejected?: string
  readonly state?: string
  readonly how: 'anew' | 'resume' | 'restart'
  readonly json: boolean
}

interface FilePaths {
  readonly name: string
  readonly path: string
  /** The path to show; undefined for standard input. */
  readonly state: string | undefined
  readonly rejected: string
}

export async function runLoad(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  options: LoadOptions,
): Promise<void> {
  checkFiles(options)
  const { definition } = await findObjectType(connection, ontology, options.objectType)
  const place = { url: connection.url, ontologyRid: ontology.rid, objectType: options.objectType }
  const path = requestPath`/manage/v1/ontologies/${ontology.rid}/objectTypes/${options.objectType}/batches`
  const target = { connection, path, retrySeconds: options.retrySeconds, stopAsked: context.stopAsked }
  const done: { readonly statePath: string | undefined; readonly state: LoadState }[] = []

  for (const file of options.files) {
    const paths = pathsOf(file, options, context.currentFolder)
    const input = await openInput(file, paths.path, context.input.stream)
    const format = options.format ?? formatOf(file)
    const { delimiter, missing, batchBytes, how } = options
    const load = {
      ...place,
      name: file,
      format,
      delimiter,
      missing,
      batchBytes,
      rejectedFile: paths.rejected,
    }
    const statePath = paths.state === undefined ? undefined : resolve(context.currentFolder, paths.state)
    const state =
      statePath === undefined
        ? unsavedLoad(load)
        : await beginLoad({ ...load, path: paths.path, statePath, how })
    const ended = state.isDone
      ? state
      : await watched(context, { input, state, options, paths }, (watch) =>
          loadFile(
            {
              input,
              definition,
              state,
              statePath,
              rejectedPath: resolve(context.currentFolder, state.rejectedFile),
              target,
              mostAtOnce: options.mostAtOnce,
              mostRejected: options.mostRejected,
            },
            watch,
          ),
        ).catch(async (error: unknown) => {
          // The user corrects a file that cannot be loaded at all and loads it anew, so no state is left.
          const isRefused = error instanceof CliError && error.exitCode === exitCodes.wrongUse
          if (isRefused && state.byte === 0 && statePath !== undefined) await removeLoadState(statePath)
          throw error
        })
    if (statePath !== undefined) await writeLoadState(statePath, { ...ended, isDone: true })
    done.push({ statePath, state: ended })
  }

  for (const { statePath } of done) if (statePath !== undefined) await removeLoadState(statePath)
  const sum = sumOf(done.map(({ state }) => state))
  await context.output.write(options.json ? jsonLine(sum) : loadSummary(options.objectType, sum))
  if (sum.rejected === 0) return
  const names = [
    ...new Set(done.filter(({ state }) => state.counts.rejected > 0).map(({ state }) => state.rejectedFile)),
  ]
  throw new CliError(
    `The rejected records are in ${names.join(', ')}, with the reasons: correct them and load them again.`,
    exitCodes.doneInPart,
  )
}

interface Watched {
  readonly input: Input
  readonly state: LoadState
  readonly options: LoadOptions
  readonly paths: FilePaths
}

async function watched(
  { output }: CommandContext,
  { input, state, options, paths }: Watched,
  load: (watch: Parameters<typeof loadFile>[1]) => Promise<LoadState>,
): Promise<LoadState> {
  const startedAt = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedAt)
  // In a compressed file the position of an uncompressed byte is unknown; how much of the file was read is close enough.
  const fraction = (byte: number) =>
    input.size === undefined
      ? undefined
      : (input.isCompressed ? input.bytesRead() : byte) / Math.max(1, input.size)
  let facts: AppliedFacts = {
    records: state.counts.records,
    byte: state.byte,
    rejected: state.counts.rejected,
  }
  const before = { objects: facts.records, fraction: input.isCompressed ? 0 : (fraction(state.byte) ?? 0) }
  const progress = showProgress(output, () =>
    describeProgress({
      objects: facts.records,
      fraction: fraction(facts.byte),
      elapsedMs: elapsedMs(),
      before,
      rejected: facts.rejected,
    }),
  )
  try {
    return await load({ say: progress.say, onApplied: (applied) => (facts = applied), elapsedMs })
  } catch (error) {
    throw error instanceof CliError ? sayingHowToGoOn(error, options, paths) : error
  } finally {
    progress.stop()
  }
}

function sayingHowToGoOn(error: CliError, options: LoadOptions, { state }: FilePaths): CliError {
  if (error.exitCode === exitCodes.wrongUse) return error
  const flags = options.state === undefined ? '' : ` --state ${options.state}`
  const advice =
    state === undefined
      ? 'What was applied stays. A load from standard input cannot be resumed: send all of it again; objects that were already loaded stay unchanged.'
      : `To continue where it stopped:\n  octavo load ${options.objectType} ${options.files.join(' ')} --resume${flags}`
  return new CliError(`${error.message}\n${advice}`, error.exitCode, { cause: error })
}

function checkFiles({ files, state, how }: LoadOptions): void {
  if (files.length > 1 && (state !== undefined || files.includes('-'))) {
    throw wrongUse(
      state === undefined
        ? 'Standard input (-) cannot be combined with other files: load it separately.'
        : '--state works only with one file: leave it out, and each file gets a state file of its own.',
    )
  }
  if (files.includes('-') && how === 'resume') {
    throw wrongUse('Standard input cannot be resumed: send all of it again, or load a file.')
  }
}

function pathsOf(file: string, { state, rejected }: LoadOptions, currentFolder: string): FilePaths {
  const name = file === '-' ? 'stdin' : basename(file)
  return {
    name: file,
    path: resolve(currentFolder, file),
    state: file === '-' ? undefined : (state ?? `${name}.octavo-load.json`),
    rejected: rejected ?? `${name}.rejected.ndjson`,
  }
}
