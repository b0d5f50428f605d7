// `octavo load`: loads one file after another, with progress, a summary, and advice if it stops early.
import { basename, resolve } from 'node:path'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import type { Connection } from '../connection/connection.ts'
import { findObjectType, statisticsOf } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { waitingForService } from '../connection/say-that-it-waits.ts'
import { ServiceRefused } from '../connection/service-errors.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { aboutFile, fileErrorOf } from '../base/file-error.ts'
import { jsonLine } from '../output/printed-value.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'
import type { MissingColumns } from '../records/csv-header.ts'
import { delimiterText } from '../records/delimiter-option.ts'
import type { Input } from '../records/open-input.ts'
import { formatOfName, type RecordFormat } from '../records/read-records.ts'
import { fileOf, openSource, sourceWords, type Source } from '../source/open-source.ts'
import { beginLoad, unsavedLoad } from './begin-load.ts'
import type { CompressChoice } from '../options/compress-option.ts'
import { codingFor } from './compression.ts'
import { loadFile, TooManyRejected, type AppliedFacts } from './load-file.ts'
import { loadSummary, sumOf } from './load-summary.ts'
import { reasonsOf, rejectedFileFor, removeRejectedFiles } from './rejected-files.ts'
import { beginServiceLoad, giveUpServiceLoad, isLarge, loadAsWhole, type WholeWatch } from './service-load.ts'
import { removeLoadState, writeLoadState, type LoadState } from './load-state.ts'

export interface LoadOptions {
  readonly objectType: string
  readonly sources: readonly Source[]
  readonly format?: RecordFormat
  readonly delimiter: string
  readonly missing: MissingColumns
  readonly batchBytes: number
  readonly mostAtOnce: number
  readonly mostRejected: number
  readonly compress: CompressChoice
  readonly retrySeconds: number
  readonly rejected?: string
  readonly state?: string
  readonly how: 'start' | 'resume' | 'restart'
  readonly json: boolean
}

interface FilePaths {
  /** Empty if it is not a file. */
  readonly path: string
  /** The path to show; undefined for what cannot be resumed: standard input and tables. */
  readonly state: string | undefined
  /** What the other files of the load are named after. */
  readonly name: string
}

export async function runLoad(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  options: LoadOptions,
): Promise<void> {
  checkSources(options)
  const { definition } = await findObjectType(
    connection,
    ontology,
    options.objectType,
    options.sources.flatMap(sourceWords),
  )
  const loadedType = { url: connection.url, ontologyRid: ontology.rid, objectType: options.objectType }
  const typePath = requestPath`/manage/v1/ontologies/${ontology.rid}/objectTypes/${options.objectType}`
  const loadsPath = requestPath`/manage/v1/ontologies/${ontology.rid}/loads`
  const target = {
    connection,
    path: `${typePath}/batches`,
    coding: codingFor(options.compress, connection.url),
    retrySeconds: options.retrySeconds,
    stopAsked: context.stopAsked,
  }
  const isEmpty = async () => (await statisticsOf(connection, ontology, options.objectType)).objectCount === 0
  const done: { readonly statePath: string | undefined; readonly state: LoadState }[] = []

  for (const source of options.sources) {
    const { input, format, delimiter } = await openSource(context, source, definition, options)
    const paths = pathsOf(source, options, context.currentFolder)
    const { missing, batchBytes, how } = options
    const load = {
      ...loadedType,
      name: input.name,
      format,
      delimiter,
      missing,
      batchBytes,
    }
    const rejectedFile = () =>
      rejectedFileFor({
        currentFolder: context.currentFolder,
        rejected: options.rejected,
        name: paths.name,
        format,
      })
    const statePath = paths.state === undefined ? undefined : resolve(context.currentFolder, paths.state)
    const begun =
      statePath === undefined
        ? unsavedLoad({ ...load, rejectedFile: rejectedFile() })
        : await aboutFile(paths.state ?? '', () =>
            beginLoad({
              ...load,
              path: paths.path,
              statePath,
              rejectedFile,
              discard: (file) => removeRejectedFiles(context.currentFolder, file),
              how,
            }),
          )
    // One that was killed before it had begun anything is resumed as if it were new.
    const isUntouched = begun.load === undefined && begun.byte === 0
    const mayBeWhole = isUntouched && done.length === 0 && missing !== 'kept'
    const state =
      mayBeWhole && isLarge(input.size, batchBytes) && (await isEmpty())
        ? await asServiceLoad(connection, loadsPath, begun)
        : begun
    if (statePath !== undefined && state !== begun) await writeLoadState(statePath, state)
    const ended = state.isDone
      ? state
      : await watched(
          context,
          { input, state, statePath, options, paths, loadsPath, connection },
          (watch) => {
            const plan = {
              input,
              definition,
              state,
              statePath,
              rejectedPath: resolve(context.currentFolder, state.rejectedFile),
              target,
              mostAtOnce: options.mostAtOnce,
              mostRejected: options.mostRejected,
            }
            return state.load === undefined
              ? loadFile(plan, watch)
              : loadAsWhole({ ...plan, loadsPath, load: state.load }, watch).then((whole) => whole.state)
          },
        )
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
  const again = `octavo load ${options.objectType} ${names.join(' ')}${sameForm(options, names)}`
  throw new CliError(
    `The rejected records are in ${names.join(', ')}, the reasons in ${names.map(reasonsOf).join(', ')}.`,
    exitCodes.doneInPart,
    { hint: `Correct the records and load them:\n  ${again}` },
  )
}

const missingFlags: Readonly<Record<MissingColumns, string>> = {
  refused: '',
  empty: ' --columns-are-whole',
  kept: ' --merge',
}

/** The flags that a file of rejected records needs to be read as the input was. */
const sameForm = ({ format, delimiter, missing }: LoadOptions, names: readonly string[]): string =>
  missingFlags[missing] +
  (delimiter === ',' ? '' : ` --delimiter '${delimiterText(delimiter)}'`) +
  (format === undefined || names.every((name) => formatOfName(name) === format) ? '' : ` --format ${format}`)

async function asServiceLoad(
  connection: Connection,
  loadsPath: string,
  state: LoadState,
): Promise<LoadState> {
  const { objectType, loadId } = state
  const load = await beginServiceLoad(connection, loadsPath, { objectType, replace: false, key: loadId })
  return load === undefined ? state : { ...state, load }
}

interface Watched {
  readonly connection: Connection
  readonly loadsPath: string
  readonly input: Input
  readonly state: LoadState
  readonly statePath: string | undefined
  readonly options: LoadOptions
  readonly paths: FilePaths
}

async function watched(
  { output }: CommandContext,
  { connection, loadsPath, input, state, statePath, options, paths }: Watched,
  load: (watch: WholeWatch) => Promise<LoadState>,
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
    isCommitted: state.version !== '',
  }
  const onApplied = (applied: AppliedFacts): void => {
    facts = { ...applied, isCommitted: facts.isCommitted || applied.isCommitted }
  }
  const before = { objects: facts.records, fraction: input.isCompressed ? 0 : (fraction(state.byte) ?? 0) }
  const waiting = waitingForService()
  let phase: string | undefined
  const progress = showProgress(
    output,
    () =>
      waiting.text() ??
      describeProgress({
        phase,
        objects: facts.records,
        fraction: fraction(facts.byte),
        elapsedMs: elapsedMs(),
        before,
        rejected: facts.rejected,
      }),
  )
  try {
    return await load({ say: progress.say, onApplied, elapsedMs, waiting, onPhase: (text) => (phase = text) })
  } catch (error) {
    const known = error instanceof CliError ? error : fileErrorOf(error)
    if (known === undefined) throw error
    if (facts.isCommitted || !isRefusal(known)) throw sayingHowToGoOn(known, options, paths)
    // Nothing of the file was applied: the user corrects it and loads it again, so no state is kept.
    if (statePath !== undefined) await removeLoadState(statePath)
    if (state.load !== undefined) await giveUpServiceLoad(connection, `${loadsPath}/${state.load}`)
    throw known
  } finally {
    progress.stop()
  }
}

/** Whether the same file would be refused again. */
const isRefusal = (error: CliError): boolean =>
  error.exitCode === exitCodes.wrongUse ||
  error instanceof TooManyRejected ||
  (error instanceof ServiceRefused &&
    error.errorName !== '' &&
    error.status < 500 &&
    ![408, 429].includes(error.status))

function sayingHowToGoOn(error: CliError, options: LoadOptions, { state }: FilePaths): CliError {
  if (error.exitCode === exitCodes.wrongUse) return error
  const flags = options.state === undefined ? '' : ` --state ${options.state}`
  const words = options.sources.flatMap(sourceWords).join(' ')
  const hint =
    state === undefined
      ? `What was applied stays. ${notResumed} objects that were already loaded stay unchanged.`
      : `To continue where it stopped:\n  octavo load ${options.objectType} ${words} --resume${flags}`
  return new CliError(error.message, error.exitCode, { cause: error, hint })
}

const notResumed = 'A load of standard input or of a table cannot be resumed: load all of it again;'

function checkSources({ sources, state, rejected, how }: LoadOptions): void {
  if (sources.length > 1) {
    const one = state !== undefined ? '--state' : rejected !== undefined ? '--rejected' : undefined
    if (one !== undefined) {
      throw wrongUse(`${one} works only with one file: leave it out, and each file gets its own.`)
    }
    if (sources.includes('-')) {
      throw wrongUse('Standard input (-) cannot be combined with other files: load it separately.')
    }
  }
  if (how === 'resume' && sources.some((source) => fileOf(source) === undefined)) {
    throw wrongUse(`${notResumed} what is there already stays unchanged.`)
  }
}

function pathsOf(source: Source, { state, objectType }: LoadOptions, currentFolder: string): FilePaths {
  const file = fileOf(source)
  const name = file === undefined ? (source === '-' ? 'stdin' : objectType) : basename(file)
  return {
    path: file === undefined ? '' : resolve(currentFolder, file),
    state: file === undefined ? undefined : (state ?? `${name}.octavo-load.json`),
    name,
  }
}
