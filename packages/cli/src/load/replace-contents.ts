// `octavo replace`: sends the file as the whole contents of a type, in one streamed request that becomes one version.
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { headers, mediaTypes, type CommitReceipt, type ObjectTypeDefinition } from '@octavo/protocol'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import type { Connection } from '../connection/connection.ts'
import { findObjectType } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { retrying } from '../connection/retrying.ts'
import { ServiceRefused } from '../connection/service-errors.ts'
import { countText, durationText } from '../output/numbers.ts'
import { jsonLine } from '../output/output.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'
import type { InputRecord } from '../records/input-record.ts'
import { openInput, type Input } from '../records/open-input.ts'
import { putLineEnd, putLineStart } from '../records/put-line.ts'
import { formatOf, readRecords, type RecordFormat } from '../records/read-records.ts'
import { bodyLines, type BodyLines } from './body-lines.ts'
import { countingPauses } from './counting-pauses.ts'
import { rejectionText } from './rejection.ts'

export interface ReplaceOptions {
  readonly objectType: string
  readonly file: string
  readonly format?: RecordFormat
  readonly delimiter: string
  readonly retrySeconds: number
  readonly json: boolean
}

export async function replaceContents(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  options: ReplaceOptions,
): Promise<void> {
  const { objectType, file } = options
  const { definition } = await findObjectType(connection, ontology, objectType)
  const input = await openInput(file, resolve(context.currentFolder, file), context.input.stream)
  const startedAt = performance.now()
  const receipt = await sendWhole(context, {
    connection,
    definition,
    input,
    path: requestPath`/manage/v1/ontologies/${ontology.rid}/objectTypes/${objectType}/replace`,
    options: { ...options, format: options.format ?? formatOf(file) },
  })
  const { put, deleted, unchanged, version } = receipt
  const took = durationText(performance.now() - startedAt)
  await context.output.write(
    options.json
      ? jsonLine(receipt)
      : `Replaced the contents of ${objectType} in ${took}: ${countText(put)} put, ${countText(deleted)} deleted, ${countText(unchanged)} unchanged; version ${version}.\n`,
  )
}

interface WholeRequest {
  readonly connection: Connection
  readonly definition: ObjectTypeDefinition
  readonly input: Input
  readonly path: string
  readonly options: ReplaceOptions & { readonly format: RecordFormat }
}

async function sendWhole(context: CommandContext, request: WholeRequest): Promise<CommitReceipt> {
  const { connection, definition, input, path, options } = request
  // A key per run, not per file: a user who replaces A by B and then B by A again intends both.
  const key = randomUUID()
  const sent = { objects: 0 }
  const startedAt = performance.now()
  const progress = showProgress(context.output, () => {
    const fraction = input.size === undefined ? undefined : input.bytesRead() / Math.max(1, input.size)
    const elapsedMs = performance.now() - startedAt
    const before = { objects: 0, fraction: 0 }
    const text = describeProgress({ objects: sent.objects, fraction, elapsedMs, before, rejected: 0 })
    return fraction === 1 ? `${text}  all sent, the service is applying it` : text
  })
  const signal = context.stopAsked
  const seconds = options.file === '-' ? 0 : options.retrySeconds
  try {
    return await retrying({ seconds, signal, times: countingPauses() }, async () => {
      sent.objects = 0
      const lines = bodyLines()
      const records = await readRecords(input, { ...options, definition })
      const wrong: CliError[] = []
      const stream = ReadableStream.from(bodyOf(records, { lines, sent, file: options.file, wrong }))
      try {
        return await connection.json<CommitReceipt>({
          method: 'POST',
          path,
          headers: { 'content-type': mediaTypes.ndjson, [headers.idempotencyKey]: key },
          body: stream,
          retrySeconds: 0,
        })
      } catch (error) {
        throw wrong[0] ?? withLinesOfFile(error, options.file, lines)
      }
    })
  } finally {
    progress.stop()
  }
}

interface BodyParts {
  readonly lines: BodyLines
  readonly sent: { objects: number }
  readonly file: string
  /** The error that ended the body early; the request only reports that it was aborted. */
  readonly wrong: CliError[]
}

async function* bodyOf(
  records: AsyncIterable<readonly InputRecord[]>,
  { lines, sent, file, wrong }: BodyParts,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const group of records) {
      const parts: Buffer[] = []
      for (const record of group) {
        // Skipping the record would delete its object.
        if (record.kind === 'bad') throw refused([rejectionText(file, record)])
        lines.add(record.line)
        parts.push(putLineStart, Buffer.from(record.json), putLineEnd)
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
  readonly rule: string
}

function withLinesOfFile(error: unknown, file: string, lines: BodyLines): unknown {
  if (!(error instanceof ServiceRefused) || error.errorName !== 'InvalidBatch') return error
  const problems = (error.parameters['problems'] ?? []) as readonly Problem[]
  return refused(
    problems.map((problem) => rejectionText(file, { ...problem, line: lines.fileLine(problem.line) })),
  )
}

const refused = (problems: readonly string[]): CliError =>
  new CliError(
    `${problems.join('\n')}\nNothing was replaced, because a file is applied completely or not at all. Correct it and try again.`,
  )
