// `octavo export`: writes a snapshot walk to a file, or several side by side, with progress, resume, and the client's retries.
import { resolve } from 'node:path'
import { createClient } from '@octavo/client'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import { aboutFile, fileErrorOf } from '../base/file-error.ts'
import { amountText } from '../output/numbers.ts'
import type { Output } from '../output/output.ts'
import { escapedJson, jsonLine } from '../output/printed-value.ts'
import { explainedExport } from './explain-export.ts'
import { partitionPlaceholder } from './export-files.ts'
import { notToStream, type ExportFormat } from './export-format.ts'
import type { ExportOptions } from './export-options.ts'
import { openExport, type OpenedExport } from './export-partitions.ts'
import { objectsOf, type ExportState } from './export-state.ts'
import { standardOutput, streamFile, targetKind, type ClosedTarget } from './export-target.ts'
import { exportToFile } from './export-to-file.ts'
import { writePartitions } from './write-partitions.ts'
import { linesOf, writersOf } from './writers-of.ts'

export async function runExport(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  options: ExportOptions,
): Promise<void> {
  const { facts, query, out, format, escapesFormulas } = options
  const fresh: Omit<ExportState, 'out'> = {
    kind: 'octavo-export',
    url: connection.url,
    ontologyRid: ontology.rid,
    objectType: facts.apiName,
    format,
    header: format === 'csv' ? linesOf(options).header : '',
    escapesFormulas,
    query: JSON.stringify(query),
    ...(options.at !== undefined && { at: options.at }),
    partitions: [],
  }
  const client = createClient({
    url: connection.url,
    token: options.token,
    fetch: context.fetch,
    compression: options.compress,
  })
  const stop = new AbortController()
  const open = (begun: ExportState): Promise<OpenedExport> =>
    openExport(client, begun, {
      ...options,
      objectType: facts.apiName,
      signal: AbortSignal.any([context.stopAsked, stop.signal]),
    })
  const path = out === undefined ? undefined : resolve(context.currentFolder, out)
  const kind = path === undefined ? 'stream' : await aboutFile(out ?? '', () => targetKind(path))
  if (kind === 'file' && path !== undefined && out !== undefined) {
    await tell(context, options, await exportToFile(context, { out, path, fresh, options, open, stop }))
    return
  }
  if (options.partitions > 1) {
    throw wrongUse(
      'Partitions are written to files side by side: give --out FILE, or leave --partitions away.',
    )
  }
  if (format === 'parquet') throw notToStream()
  const opened = await open({ ...fresh, out: '' })
  const target =
    path === undefined
      ? standardOutput(shownOn(context.output, format))
      : await aboutFile(out ?? '', () => streamFile(path))
  await tell(context, options, await exportToStream(context, { opened, target, options, stop }))
}

/** What a terminal would act on is escaped where that is the same value. */
const shownOn = (output: Output, format: ExportFormat): Pick<Output, 'write'> =>
  output.isTerminal && format === 'ndjson'
    ? { write: (text) => output.write(typeof text === 'string' ? escapedJson(text) : text) }
    : output

interface StreamExport {
  readonly opened: OpenedExport
  readonly target: ClosedTarget
  readonly options: ExportOptions
  readonly stop: AbortController
}

async function exportToStream(
  context: CommandContext,
  { opened, target, options, stop }: StreamExport,
): Promise<ExportState> {
  const writers = writersOf(options, [target], { areApart: false })
  try {
    const ended = await writePartitions(context, { ...opened, writers, save: undefined, stop })
    await target.close()
    return ended
  } catch (error) {
    await target.close().catch(() => {})
    throw explainedExport(fileErrorOf(error, options.out) ?? error, context, options)
  }
}

async function tell({ output }: CommandContext, options: ExportOptions, ended: ExportState): Promise<void> {
  const { facts, out } = options
  const { version, partitions } = ended
  const objects = objectsOf(ended)
  const areApart = out?.includes(partitionPlaceholder) ?? false
  const inFiles = areApart ? ` to ${amountText(partitions.length, 'file')}` : ''
  const text = options.json
    ? jsonLine({
        objectType: facts.apiName,
        objectCount: objects,
        version,
        file: out,
        ...(areApart && { fileCount: partitions.length }),
      })
    : `Exported ${amountText(objects, 'object')} of ${facts.apiName}${version === undefined ? '' : ` at version ${version}`}${inFiles}.\n`
  // On standard output, beside the objects, the text would be taken for an object.
  if (out === undefined) output.note(text)
  else await output.write(text)
}
