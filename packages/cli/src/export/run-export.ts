// `octavo export`: writes a snapshot walk to a file, or several side by side, with progress, resume, and the client's retries.
import { basename, resolve } from 'node:path'
import { createClient, type Page } from '@octavo/client'
import type { Query } from '@octavo/protocol'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import { aboutFile, fileErrorOf } from '../base/file-error.ts'
import type { CompressChoice } from '../options/compress-option.ts'
import { amountText } from '../output/numbers.ts'
import { jsonLine } from '../output/output.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'
import type { TypeFacts } from '../reading/type-facts.ts'
import { explainedExport } from './explain-export.ts'
import { exportFiles, type ExportFiles } from './export-files.ts'
import { notToStream, type ExportFormat } from './export-format.ts'
import { checkExport, openExport } from './export-parts.ts'
import { exportFile, standardOutput, streamFile, targetKind, type ExportTarget } from './export-target.ts'
import { readExportState, removeExportState, writeExportState, type ExportState } from './export-state.ts'
import { csvLines, ndjsonLines } from './object-line.ts'
import { lineWriter, type ObjectWriter } from './object-writer.ts'
import { parquetWriter, rowGroupSize } from './parquet-writer.ts'
import { writeWalk } from './write-walk.ts'

export interface ExportOptions {
  readonly facts: TypeFacts
  readonly family: string
  readonly token: string
  readonly query: Query
  readonly out: string | undefined
  readonly format: ExportFormat
  readonly how: 'anew' | 'resume' | 'restart'
  /** How many readers work side by side. */
  readonly parts: number
  /** Names the state to export; the latest otherwise. */
  readonly at: string | undefined
  readonly compress: CompressChoice
  readonly json: boolean
}

export async function runExport(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  options: ExportOptions,
): Promise<void> {
  const { facts, query, out, format } = options
  const client = createClient({
    url: connection.url,
    token: options.token,
    fetch: context.fetch,
    compression: options.compress,
  })
  const fresh: ExportState = {
    kind: 'octavo-export',
    url: connection.url,
    ontologyRid: ontology.rid,
    objectType: facts.apiName,
    format,
    query: JSON.stringify(query),
    ...(options.at !== undefined && { at: options.at }),
    parts: [],
  }
  const path = out === undefined ? undefined : resolve(context.currentFolder, out)
  const kind = path === undefined ? 'stream' : await aboutFile(out ?? '', () => targetKind(path))
  if (kind === 'stream' && options.parts > 1) {
    throw wrongUse('Parts are written to files side by side: give --out FILE, or leave --parts away.')
  }
  if (kind === 'stream' && format === 'parquet') throw notToStream()
  const statePath =
    kind === 'stream' || out === undefined || format === 'parquet'
      ? undefined
      : resolve(context.currentFolder, `${basename(out)}.octavo-export.json`)
  const begun = statePath === undefined ? fresh : await beginExport(statePath, fresh, options)
  const stop = new AbortController()
  const { state: opened, walks } = await openExport(client, begun, {
    family: options.family,
    objectType: facts.apiName,
    query,
    parts: options.parts,
    at: options.at,
    signal: AbortSignal.any([context.stopAsked, stop.signal]),
  })
  const files = path === undefined || kind === 'stream' ? undefined : exportFiles(path, walks.length)
  const open = async (place: string | undefined, from: number): Promise<ExportTarget> => {
    if (place !== undefined) return exportFile(place, from)
    return path === undefined ? standardOutput(context.output) : streamFile(path)
  }
  const targets = await aboutFile(out ?? '', () =>
    Promise.all(opened.parts.map(({ bytes }, i) => open(files?.written[i], bytes))),
  )

  let state = opened
  /** What can be resumed: it follows behind. */
  let saved = opened
  let saving = Promise.resolve()
  const save = (): Promise<void> => {
    if (statePath === undefined) return Promise.resolve()
    saving = saving.then(() => writeExportState(statePath, saved))
    return saving
  }
  if (walks.length > 1) await save()
  const startedAt = performance.now()
  const progress = showProgress(context.output, () =>
    describeProgress({
      objects: objectsOf(state),
      fraction: fractionOf(state),
      elapsedMs: performance.now() - startedAt,
      before: { objects: objectsOf(opened), fraction: fractionOf(opened) ?? 0 },
      rejected: 0,
    }),
  )
  const writerTo = writersOf(options, files, walks.length)
  try {
    await allOrNone(
      opened.parts.map((part, i) =>
        writeWalk({
          walk: walks[i] as (typeof walks)[number],
          writer: writerTo(targets[i] as ExportTarget, i),
          target: targets[i] as ExportTarget,
          state: part,
          save:
            statePath === undefined
              ? undefined
              : (now) => {
                  saved = { ...state, parts: saved.parts.with(i, now) }
                  return save()
                },
          onPage: (now, page) => {
            state = { ...state, ...factsOf(page), parts: state.parts.with(i, now) }
          },
        }),
      ),
      stop,
    )
    for (const target of targets) await target.finish()
    checkExport(state, walks)
    await files?.name()
  } catch (error) {
    for (const target of targets) await target.leave().catch(() => {})
    // What cannot be resumed is of no use.
    if (format === 'parquet') await files?.remove()
    throw explainedExport(fileErrorOf(error, out) ?? error, context, options)
  } finally {
    progress.stop()
  }
  if (statePath !== undefined) await removeExportState(statePath)
  const { version } = state
  const objects = objectsOf(state)
  const inFiles = files?.areApart ? ` to ${amountText(walks.length, 'file')}` : ''
  const text = options.json
    ? jsonLine({
        objectType: facts.apiName,
        objects,
        version,
        file: out,
        ...(files?.areApart && { files: walks.length }),
      })
    : `Exported ${amountText(objects, 'object')} of ${facts.apiName}${version === undefined ? '' : ` at version ${version}`}${inFiles}.\n`
  // On standard output, beside the objects, the text would be taken for an object.
  if (out === undefined) context.output.note(text)
  else await context.output.write(text)
}

/** The writer of each part. Parts that become one file have one header. */
function writersOf({ facts, format }: ExportOptions, files: ExportFiles | undefined, parts: number) {
  if (format === 'parquet') {
    const size = rowGroupSize(parts)
    return (target: ExportTarget): ObjectWriter => parquetWriter(facts, target, size)
  }
  const lines = format === 'csv' ? csvLines(facts) : ndjsonLines
  return (target: ExportTarget, part: number): ObjectWriter =>
    lineWriter(part === 0 || files?.areApart ? lines : { ...lines, header: '' }, target)
}

/** If one fails, the others are stopped. The first failure is the one that says why. */
async function allOrNone(works: readonly Promise<unknown>[], stop: AbortController): Promise<void> {
  const failures: unknown[] = []
  await Promise.all(
    works.map((work) =>
      work.catch((error: unknown) => {
        failures.push(error)
        stop.abort()
      }),
    ),
  )
  if (failures.length > 0) throw failures[0]
}

async function beginExport(
  path: string,
  fresh: ExportState,
  { how, out }: ExportOptions,
): Promise<ExportState> {
  if (how === 'restart') await removeExportState(path)
  const found = await readExportState(path)
  if (found === undefined) return fresh
  if (how !== 'resume') {
    throw wrongUse(
      `An export to ${out} was not finished: ${path} says it stopped after ${amountText(objectsOf(found), 'object')}. Continue with --resume, or start over with --restart.`,
    )
  }
  const names = ['url', 'ontologyRid', 'objectType', 'format', 'query', 'at'] as const
  const changed = names.filter((name) => found[name] !== fresh[name])
  if (changed.length === 0) return found
  throw wrongUse(
    `The export to ${out} in ${path} cannot be resumed: it was started with another ${changed.map((name) => (name === 'at' ? 'snapshot token' : name)).join(' and another ')}. Repeat the command as it was, or start over with --restart.`,
  )
}

const objectsOf = ({ parts }: ExportState): number => parts.reduce((sum, { objects }) => sum + objects, 0)

const fractionOf = (state: ExportState): number | undefined =>
  state.total === undefined ? undefined : objectsOf(state) / Math.max(1, state.total)

const factsOf = ({ snapshotVersion, totalCount }: Page<unknown>): Pick<ExportState, 'version' | 'total'> => ({
  ...(snapshotVersion !== undefined && { version: snapshotVersion }),
  ...(totalCount !== undefined && { total: Number(totalCount) }),
})
