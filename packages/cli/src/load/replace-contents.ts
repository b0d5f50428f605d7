// `octavo replace`: sends the file as the whole contents of a type, in one streamed request that becomes one version.
import { randomUUID } from 'node:crypto'
import type { CommitPreview, CommitReceipt, ObjectTypeDefinition } from '@octavo/protocol'
import { headers, mediaTypes } from '@octavo/protocol/vocabulary'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import type { Connection } from '../connection/connection.ts'
import { findObjectType } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { retrying } from '../connection/retrying.ts'
import { waitingForService } from '../connection/say-that-it-waits.ts'
import { ServiceRefused } from '../connection/service-errors.ts'
import { isConfirmed } from '../base/is-confirmed.ts'
import { amountText, countText, durationText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'
import type { InputRecord } from '../records/input-record.ts'
import type { Input } from '../records/open-input.ts'
import { lineEnd, lineStarts } from '../records/batch-line.ts'
import type { MissingColumns } from '../records/csv-header.ts'
import { readRecords, type RecordFormat } from '../records/read-records.ts'
import { openSource, sourceWords, type Source } from '../source/open-source.ts'
import { bodyLines, type BodyLines } from './body-lines.ts'
import type { CompressChoice } from '../options/compress-option.ts'
import { compressing, codingFor, encodingHeader, type Coding } from './compression.ts'
import { countingPauses } from './counting-pauses.ts'
import { previewText } from './preview-text.ts'
import { rejectionText } from './rejection.ts'
import { replaceAsLoad } from './replace-as-load.ts'

export interface ReplaceOptions {
  readonly objectType: string
  readonly source: Source
  readonly format?: RecordFormat
  readonly delimiter: string
  readonly missing: MissingColumns
  readonly dryRun?: true
  readonly yes?: true
  readonly maxDeletions?: string
  readonly compress: CompressChoice
  readonly retrySeconds: number
  readonly json: boolean
}

export async function replaceContents(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  options: ReplaceOptions,
): Promise<void> {
  const { objectType, source } = options
  const { definition } = await findObjectType(connection, ontology, objectType, sourceWords(source))
  const { input, ...form } = await openSource(context, source, definition, options)
  const typePath = requestPath`/manage/v1/ontologies/${ontology.rid}/objectTypes/${objectType}`
  const request = {
    connection,
    definition,
    input,
    coding: codingFor(choiceFor(options), connection.url),
    path: `${typePath}/objects`,
    options: { ...options, ...form },
  }
  const preview = () =>
    sendWhole<CommitPreview>(context, request, { maxDeletions: options.maxDeletions, dryRun: 'true' })
  if (options.dryRun) return context.output.write(dryRunText(options, await preview()))
  // Standard input cannot be read twice, and has no room for an answer.
  const asks = context.input.isTerminal && !options.yes && source !== '-'
  const confirmed = asks ? await confirmDeletions(context, options, await preview()) : undefined
  const startedAt = performance.now()
  const maxDeletions = confirmed ?? options.maxDeletions
  const whole = { ...request, ...request.options, ontologyRid: ontology.rid, maxDeletions, refused }
  const receipt =
    (await replaceAsLoad(context, whole).catch((error: unknown) => {
      throw inWordsOfFile(error, { objectType, file: input.name }, bodyLines())
    })) ?? (await sendWhole<CommitReceipt>(context, request, { maxDeletions }))
  const { created, updated, deleted, unchanged, version } = receipt
  const took = durationText(performance.now() - startedAt)
  await context.output.write(
    options.json
      ? jsonLine(receipt)
      : `Replaced the contents of ${objectType} in ${took}: ${countText(created)} created, ${countText(updated)} updated, ${countText(deleted)} deleted, ${countText(unchanged)} unchanged; version ${version}.\n`,
  )
}

/**
 * A service disconnects those who send little for half a minute. A program that writes slowly to standard input would be taken for
 * one of them if what it writes is compressed.
 */
const choiceFor = ({ compress, source }: ReplaceOptions): CompressChoice =>
  compress === 'auto' && source === '-' ? 'none' : compress

function dryRunText({ objectType, json }: ReplaceOptions, preview: CommitPreview): string {
  return json ? jsonLine(preview) : `${previewText('Replacing', objectType, preview)}\n`
}

/** Returns the limit for the replacement itself: what was agreed to, and no object more if others write meanwhile. */
async function confirmDeletions(
  context: CommandContext,
  { objectType }: ReplaceOptions,
  preview: CommitPreview,
): Promise<string | undefined> {
  const { created, updated, deleted, unchanged } = preview
  if (deleted === 0) return undefined
  const others = `${countText(created)} created, ${countText(updated)} updated, ${countText(unchanged)} unchanged`
  const question = `This deletes ${countText(deleted)} of ${amountText(updated + deleted + unchanged, 'object')} of ${objectType} (${others}). Delete them?`
  if (!(await isConfirmed(context, question))) throw new CliError('Nothing was changed.')
  return String(deleted)
}

interface WholeRequest {
  readonly connection: Connection
  readonly definition: ObjectTypeDefinition
  readonly input: Input
  readonly coding: Coding | undefined
  readonly path: string
  readonly options: ReplaceOptions & { readonly format: RecordFormat }
}

type Query = Readonly<Record<string, string | undefined>>

async function sendWhole<Answer>(
  context: CommandContext,
  request: WholeRequest,
  query: Query,
): Promise<Answer> {
  const { connection, definition, input, coding, path, options } = request
  // A key per run, not per file: a user who replaces A by B and then B by A again intends both.
  const key = randomUUID()
  const sent = { objects: 0 }
  const startedAt = performance.now()
  const waiting = waitingForService()
  const progress = showProgress(context.output, () => {
    const waits = waiting.text()
    if (waits !== undefined) return waits
    const fraction = input.size === undefined ? undefined : input.bytesRead() / Math.max(1, input.size)
    const elapsedMs = performance.now() - startedAt
    const before = { objects: 0, fraction: 0 }
    const text = describeProgress({ objects: sent.objects, fraction, elapsedMs, before, rejected: 0 })
    return fraction === 1 ? `${text}  all sent, the service is applying it` : text
  })
  const signal = context.stopAsked
  const seconds = options.source === '-' ? 0 : options.retrySeconds
  const send = async (): Promise<Answer> => {
    sent.objects = 0
    const lines = bodyLines()
    const records = await readRecords(input, { ...options, definition })
    const wrong: CliError[] = []
    const body = bodyOf(records, { lines, sent, file: input.name, wrong })
    try {
      return await connection.json<Answer>({
        method: 'PUT',
        path,
        query,
        headers: {
          'content-type': mediaTypes.ndjson,
          [headers.idempotencyKey]: key,
          ...encodingHeader(coding),
        },
        body: ReadableStream.from(compressing(body, coding)),
        retrySeconds: 0,
      })
    } catch (error) {
      throw wrong[0] ?? inWordsOfFile(error, { objectType: options.objectType, file: input.name }, lines)
    }
  }
  try {
    const retries = { seconds, signal, times: countingPauses(), onPause: waiting.onPause }
    return await retrying(retries, () => {
      waiting.end()
      return send()
    })
  } finally {
    progress.stop()
  }
}

interface BodyContext {
  readonly lines: BodyLines
  readonly sent: { objects: number }
  readonly file: string
  /** The error that ended the body early; the request only reports that it was aborted. */
  readonly wrong: CliError[]
}

async function* bodyOf(
  records: AsyncIterable<readonly InputRecord[]>,
  { lines, sent, file, wrong }: BodyContext,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const group of records) {
      const parts: Buffer[] = []
      for (const record of group) {
        // Skipping the record would delete its object.
        if (record.kind === 'bad') throw refused([rejectionText(file, record)])
        lines.add(record.line)
        parts.push(lineStarts.put, Buffer.from(record.json), lineEnd)
      }
      if (parts.length > 0) yield Buffer.concat(parts)
      sent.objects += group.length
    }
  } catch (error) {
    if (error instanceof CliError) wrong.push(error)
    throw error
  }
}

interface Problem {
  readonly line: number
  readonly property?: string
  readonly value?: unknown
  readonly problem: string
}

function inWordsOfFile(
  error: unknown,
  { objectType, file }: { readonly objectType: string; readonly file: string },
  lines: BodyLines,
): unknown {
  if (!(error instanceof ServiceRefused)) return error
  if (error.errorName === 'TooManyDeletions') {
    const { deleted, objectCount, maxDeletions } = error.parameters as Readonly<Record<string, number>>
    return new CliError(
      `The file would delete ${countText(deleted ?? 0)} of ${amountText(objectCount ?? 0, 'object')} of ${objectType}, and a replacement may delete ${countText(maxDeletions ?? 0)}. Check that it has every object that is to stay; if it has, add --max-deletions ${deleted}. Nothing was changed.`,
    )
  }
  if (error.errorName === 'MissingPostBody') {
    return new CliError(
      `${file} has no records, and a replacement by nothing would delete all objects of ${objectType}: check that it is what you meant, and why it is empty. Nothing was changed. To delete objects, use octavo delete.`,
    )
  }
  if (error.errorName !== 'InvalidBatch') return error
  const problems = (error.parameters['problems'] ?? []) as readonly Problem[]
  return refused(
    problems.map((problem) => rejectionText(file, { ...problem, line: lines.fileLine(problem.line) })),
  )
}

const refused = (problems: readonly string[]): CliError =>
  new CliError(
    `${problems.join('\n')}\nNothing was replaced, because a file is applied completely or not at all. Correct it and try again.`,
  )
