// Loads one input, from the position in its state to the end.
import { CliError } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { countText } from '../output/numbers.ts'
import type { Input } from '../records/open-input.ts'
import { readRecords } from '../records/read-records.ts'
import type { LoadPartReceipt, ObjectTypeDefinition } from '@octavo/protocol'
import { appliedPrefix } from './applied-prefix.ts'
import type { Batch } from './batch.ts'
import { batchMemories } from './batch-memory.ts'
import { batchWindow } from './batch-window.ts'
import { cutBatches } from './cut-batches.ts'
import type { LoadState } from './load-state.ts'
import { orStopped } from './or-stopped.ts'
import { openRejectedFiles, reasonsOf } from './rejected-files.ts'
import { rejectionText, type Rejection } from './rejection.ts'
import { sendBatch, type BatchTarget, type SentBatch } from './send-batch.ts'

export interface LoadPlan {
  readonly input: Input
  readonly definition: ObjectTypeDefinition
  readonly state: LoadState
  readonly statePath: string | undefined
  /** Undefined if a rejection ends the load anyway. */
  readonly rejectedPath: string | undefined
  readonly target: Pick<
    BatchTarget,
    'connection' | 'path' | 'coding' | 'asParts' | 'retrySeconds' | 'stopAsked'
  >
  /** The most batches in flight at once. */
  readonly mostAtOnce: number
  readonly mostRejected: number
}

export interface LoadWatch extends Pick<BatchTarget, 'waiting'> {
  readonly say: (text: string) => void
  /** Called for each applied batch. */
  readonly onApplied: (facts: AppliedFacts) => void
  readonly elapsedMs: () => number
}

export interface AppliedFacts {
  readonly records: number
  readonly byte: number
  readonly rejected: number
  /** Whether the service has applied something of the batch. */
  readonly isCommitted: boolean
}

/** The error shows this many reasons; the file of rejected records has all of them. */
const mostShown = 10

/** Returns the final state. If it throws, the saved state can be resumed. */
export async function loadFile(plan: LoadPlan, watch: LoadWatch): Promise<LoadState> {
  const { input, definition, state: start, target } = plan
  let header: Buffer | undefined
  const rejected = await openRejectedFiles({ ...start, path: plan.rejectedPath, header: () => header })
  const prefix = appliedPrefix({ start, rejected, statePath: plan.statePath, elapsedMs: watch.elapsedMs })
  const window = batchWindow(plan.mostAtOnce)
  const notYetWritten = new Map<number, Rejection[]>()
  let rejectionCount = 0

  const rejectedLines = () => prefix.state().counts.rejected + notYetWritten.size
  const onRejected = (rejections: readonly Rejection[]): void => {
    for (const rejection of rejections) {
      const ofLine = notYetWritten.get(rejection.line)
      if (ofLine === undefined) notYetWritten.set(rejection.line, [rejection])
      else ofLine.push(rejection)
      rejectionCount += 1
      if (rejectionCount <= mostShown) watch.say(rejectionText(input.name, rejection))
      if (rejectionCount === mostShown + 1)
        watch.say(
          `More records are rejected: ${reasonsOf(plan.state.rejectedFile)} will have all the reasons.`,
        )
    }
    if (rejectedLines() > plan.mostRejected) throw tooManyRejected(plan)
  }

  const sending = {
    ...target,
    loadId: start.loadId,
    waiting: watch.waiting,
    onThrottled: window.narrow,
    onRejected,
  }
  const missing = start.missing ?? 'refused'
  const from = { byte: start.byte, line: start.line }
  const records = await readRecords(input, {
    ...start,
    missing,
    definition,
    from,
    onHeader: (raw) => (header = raw),
  })
  const memories = batchMemories(start.batchBytes, missing === 'kept' ? 'merge' : 'put')
  const batches = cutBatches(records, { from, batchBytes: start.batchBytes, memories })
  try {
    for (;;) {
      const next = await orStopped(batches.next(), target.stopAsked)
      if (next === 'stopped' || next.done === true) break
      const batch = next.value
      if ((await orStopped(window.roomFor(batch), target.stopAsked)) === 'stopped') break
      window.start(batch, async () => {
        const sent = target.asParts ? await storePart(sending, batch) : await sendBatch(sending, batch)
        memories.giveBack(batch.memory)
        await prefix.add(batch, sent)
        for (const { line } of sent.rejections) notYetWritten.delete(line)
        const { byte } = prefix.state()
        watch.onApplied({
          records: prefix.applied(),
          byte,
          rejected: rejectedLines(),
          isCommitted: sent.receipt !== undefined,
        })
      })
    }
    await window.drained()
  } catch (error) {
    // Waits for the other batches: each applied one is one less to send again.
    await window.drained().catch(() => {})
    await rejected.append([...notYetWritten.values()].flat())
    throw error
  } finally {
    await rejected.close()
  }
  if (target.stopAsked.aborted) throw new CliError('Stopped.', exitCodes.interrupted)
  return prefix.state()
}

/** Without a receipt: nothing is applied yet. */
async function storePart(target: BatchTarget, batch: Batch): Promise<SentBatch> {
  const { rejections } = await sendBatch<LoadPartReceipt>(target, batch)
  return { receipt: undefined, rejections }
}

export class TooManyRejected extends CliError {
  override readonly name = 'TooManyRejected'
}

const tooManyRejected = ({ mostRejected, state }: LoadPlan): CliError =>
  new TooManyRejected(
    `More than ${countText(mostRejected)} records were rejected, so the load was stopped. The reasons are in ${reasonsOf(state.rejectedFile)}: correct the input, or allow more with --max-rejected.`,
  )
