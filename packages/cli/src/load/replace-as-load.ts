// `octavo replace` of a large file: as a load of the service whose objects become the whole contents of the type. Its parts are
// sent side by side, and what is lost on the way is sent again part by part.
import { randomUUID } from 'node:crypto'
import type { CommitReceipt, ObjectTypeDefinition } from '@octavo/protocol'
import type { CommandContext } from '../base/command-context.ts'
import type { Connection } from '../connection/connection.ts'
import { requestPath } from '../connection/request-path.ts'
import { waitingForService } from '../connection/say-that-it-waits.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'
import type { MissingColumns } from '../records/csv-header.ts'
import type { Input } from '../records/open-input.ts'
import type { RecordFormat } from '../records/read-records.ts'
import { unsavedLoad } from './begin-load.ts'
import { TooManyRejected } from './load-file.ts'
import type { BatchTarget } from './send-batch.ts'
import { beginServiceLoad, giveUpServiceLoad, isLarge, loadAsWhole } from './service-load.ts'

export interface ReplacingLoad {
  readonly connection: Connection
  readonly ontologyRid: string
  readonly definition: ObjectTypeDefinition
  readonly input: Input
  readonly format: RecordFormat
  readonly delimiter: string
  readonly missing: MissingColumns
  readonly coding: BatchTarget['coding']
  readonly retrySeconds: number
  readonly maxDeletions: string | undefined
  /** Makes the error for records that do not fit the type, from what each of them breaks. */
  readonly refused: (problems: readonly string[]) => Error
}

const batchBytes = 1024 * 1024
const mostAtOnce = 3

/** Undefined if the file is small, or the service takes no loads: nothing was sent then. */
export async function replaceAsLoad(
  context: CommandContext,
  replacing: ReplacingLoad,
): Promise<CommitReceipt | undefined> {
  const { connection, definition, input, ontologyRid } = replacing
  if (!isLarge(input.size, batchBytes)) return undefined
  const loadsPath = requestPath`/manage/v1/ontologies/${ontologyRid}/loads`
  const load = await beginServiceLoad(connection, loadsPath, {
    objectType: definition.apiName,
    replace: true,
    key: randomUUID(),
  })
  if (load === undefined) return undefined
  const problems: string[] = []
  const { watch, stop } = watching(context, input, (problem) => problems.push(problem))
  try {
    const { receipt } = await loadAsWhole(
      {
        input,
        definition,
        state: unsavedLoad({
          ...replacing,
          name: input.name,
          url: connection.url,
          objectType: definition.apiName,
          batchBytes,
          rejectedFile: '',
        }),
        statePath: undefined,
        rejectedPath: undefined,
        target: {
          connection,
          path: '',
          coding: replacing.coding,
          retrySeconds: replacing.retrySeconds,
          stopAsked: context.stopAsked,
        },
        mostAtOnce,
        // Skipping a record would delete its object.
        mostRejected: 0,
        loadsPath,
        load,
        maxDeletions: replacing.maxDeletions,
      },
      watch,
    )
    return receipt
  } catch (error) {
    await giveUpServiceLoad(connection, `${loadsPath}/${load}`)
    throw error instanceof TooManyRejected ? replacing.refused(problems) : error
  } finally {
    stop()
  }
}

function watching({ output }: CommandContext, input: Input, say: (problem: string) => void) {
  const startedAt = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedAt)
  const waiting = waitingForService()
  let objects = 0
  let phase: string | undefined
  const fraction = () => (input.size === undefined ? undefined : input.bytesRead() / Math.max(1, input.size))
  const progress = showProgress(
    output,
    () =>
      waiting.text() ??
      describeProgress({
        objects,
        fraction: fraction(),
        elapsedMs: elapsedMs(),
        before: { objects: 0, fraction: 0 },
        rejected: 0,
        phase,
      }),
  )
  return {
    watch: {
      say,
      onApplied: (applied: { readonly records: number }) => (objects = applied.records),
      elapsedMs,
      waiting,
      onPhase: (text: string) => (phase = text),
    },
    stop: progress.stop,
  }
}
