// `octavo export`: writes a snapshot walk to a file, with progress, resume, and the client's retries.
import { basename, resolve } from 'node:path'
import { createClient, OctavoError } from '@octavo/client'
import type { Query } from '@octavo/protocol'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { aboutFile, fileErrorOf, FileError } from '../base/file-error.ts'
import type { CompressChoice } from '../options/compress-option.ts'
import { amountText } from '../output/numbers.ts'
import { jsonLine } from '../output/output.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'
import type { TypeFacts } from '../reading/type-facts.ts'
import type { RecordFormat } from '../records/read-records.ts'
import { exportFile, standardOutput, streamFile, targetKind } from './export-target.ts'
import { readExportState, removeExportState, writeExportState, type ExportState } from './export-state.ts'
import { csvLines, ndjsonLines } from './object-line.ts'
import { writeWalk } from './write-walk.ts'

export interface ExportOptions {
  readonly facts: TypeFacts
  readonly family: string
  readonly token: string
  readonly query: Query
  readonly out: string | undefined
  readonly format: RecordFormat
  readonly how: 'anew' | 'resume' | 'restart'
  readonly compress: CompressChoice
  readonly json: boolean
}

export async function runExport(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  options: ExportOptions,
): Promise<void> {
  const { facts, family, query, out, format } = options
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
    walk: '',
    bytes: 0,
    objects: 0,
  }
  const path = out === undefined ? undefined : resolve(context.currentFolder, out)
  const kind = path === undefined ? 'stream' : await aboutFile(out ?? '', () => targetKind(path))
  const statePath =
    kind === 'stream' || out === undefined
      ? undefined
      : resolve(context.currentFolder, `${basename(out)}.octavo-export.json`)
  const begun = statePath === undefined ? fresh : await beginExport(statePath, fresh, options)
  const signal = context.stopAsked
  const target =
    path === undefined
      ? standardOutput(context.output)
      : await aboutFile(out ?? '', () => (kind === 'file' ? exportFile(path, begun.bytes) : streamFile(path)))
  const walk =
    begun.walk === ''
      ? client.family(family).objects(facts.apiName).search(query, { snapshot: true, signal })
      : client.resume(begun.walk, { signal })

  let state = begun
  const startedAt = performance.now()
  const progress = showProgress(context.output, () =>
    describeProgress({
      objects: state.objects,
      fraction: fractionOf(state),
      elapsedMs: performance.now() - startedAt,
      before: { objects: begun.objects, fraction: fractionOf(begun) ?? 0 },
      rejected: 0,
    }),
  )
  try {
    state = await writeWalk({
      walk,
      lines: format === 'csv' ? csvLines(facts) : ndjsonLines,
      target,
      state: begun,
      save: statePath === undefined ? undefined : (now) => writeExportState(statePath, now),
      onPage: (now) => (state = now),
    })
    await target.finish()
  } catch (error) {
    await target.leave().catch(() => {})
    throw explained(fileErrorOf(error, out) ?? error, context, options)
  } finally {
    progress.stop()
  }
  if (statePath !== undefined) await removeExportState(statePath)
  const { objects, version } = state
  const text = options.json
    ? jsonLine({ objectType: facts.apiName, objects, version, file: out })
    : `Exported ${amountText(objects, 'object')} of ${facts.apiName}${version === undefined ? '' : ` at version ${version}`}.\n`
  // On standard output, beside the objects, the text would be taken for an object.
  if (out === undefined) context.output.note(text)
  else await context.output.write(text)
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
      `An export to ${out} was not finished: ${path} says it stopped after ${amountText(found.objects, 'object')}. Continue with --resume, or start over with --restart.`,
    )
  }
  const names = ['url', 'ontologyRid', 'objectType', 'format', 'query'] as const
  const changed = names.filter((name) => found[name] !== fresh[name])
  if (changed.length === 0) return found
  throw wrongUse(
    `The export to ${out} in ${path} cannot be resumed: it was started with another ${changed.join(' and another ')}. Repeat the command as it was, or start over with --restart.`,
  )
}

const fractionOf = ({ objects, total }: ExportState): number | undefined =>
  total === undefined ? undefined : objects / Math.max(1, total)

function explained(error: unknown, { stopAsked }: CommandContext, options: ExportOptions): unknown {
  const { out, facts, format } = options
  const again = (flag: string) =>
    `  octavo export ${facts.apiName} --out ${out}${format === 'csv' ? ' --format csv' : ''} ${flag}`
  if (stopAsked.aborted) {
    const hint = `To continue where it stopped, within 15 minutes unless your service is configured otherwise:\n${again('--resume')}`
    return new CliError('Stopped.', exitCodes.interrupted, out === undefined ? {} : { hint })
  }
  if (error instanceof FileError && error.exitCode === exitCodes.failed && out !== undefined) {
    const hint = `To continue where it stopped:\n${again('--resume')}`
    return new CliError(error.message, error.exitCode, { cause: error, hint })
  }
  if (!(error instanceof OctavoError)) return error
  const isOver = error.errorName === 'ConsistentSnapshotError' || error.errorName === 'InvalidPageToken'
  if (out === undefined) return new CliError(error.message, exitCodes.failed, { cause: error })
  const hint = isOver
    ? `The export cannot be resumed. To start over with the current state:\n${again('--restart')}`
    : `To continue where it stopped:\n${again('--resume')}`
  return new CliError(error.message, exitCodes.failed, { cause: error, hint })
}
