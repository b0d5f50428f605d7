// Sends one batch to the service, with retries. Its idempotency key is derived from the load, the position and the contents,
// so that no retry, no resumed load and no late request of a killed load is applied twice.
import { createHash } from 'node:crypto'
import type { CommitReceipt } from '@octavo/protocol'
import { headers, mediaTypes } from '@octavo/protocol/vocabulary'
import type { Connection } from '../connection/connection.ts'
import { retrying } from '../connection/retrying.ts'
import type { Waiting } from '../connection/say-that-it-waits.ts'
import { ServiceRefused, ServiceUnreachable } from '../connection/service-errors.ts'
import type { Batch } from './batch.ts'
import { compressed, encodingHeader, type Coding } from './compression.ts'
import { countingPauses } from './counting-pauses.ts'
import type { Rejection } from './rejection.ts'

export interface BatchTarget {
  readonly connection: Connection
  /** The path of the batch endpoint, or of the parts of a load. */
  readonly path: string
  /** Only asks what would change; the answer is a preview then. */
  readonly dryRun?: true
  /** Stores the batch as a part of a load, numbered by its position in the input; the answer is that of a part then. */
  readonly asParts?: true
  readonly loadId: string
  readonly coding: Coding | undefined
  readonly retrySeconds: number
  /** Ends the pauses between attempts, not an attempt. */
  readonly stopAsked: AbortSignal
  /** Where to say that a batch waits for the service. */
  readonly waiting?: Waiting | undefined
  /** Called when the service throttles. */
  readonly onThrottled: () => void
  /** Throws if there are too many rejections. */
  readonly onRejected: (rejections: readonly Rejection[]) => void
}

export interface SentBatch<Receipt = CommitReceipt> {
  /** Undefined if there was no record left to send. */
  readonly receipt: Receipt | undefined
  readonly rejections: readonly Rejection[]
}

export async function sendBatch<Receipt = CommitReceipt>(
  target: BatchTarget,
  batch: Batch,
): Promise<SentBatch<Receipt>> {
  const rejections = [...batch.rejections]
  if (rejections.length > 0) target.onRejected(rejections)
  let left: readonly number[] = Array.from({ length: batch.records }, (_, record) => record)
  let body = batch.memory.body()
  while (left.length > 0) {
    const answer = await attempts<Receipt>(target, batch, body)
    if ('receipt' in answer) return { receipt: answer.receipt, rejections }
    const refused = refusedRecords(answer.refused, left)
    if (refused.size === 0) throw answer.refused
    const ofRecords = [...refused].flatMap(([record, problems]) => rejectionsOf(batch, record, problems))
    target.onRejected(ofRecords)
    rejections.push(...ofRecords)
    left = left.filter((record) => !refused.has(record))
    body = Buffer.concat(left.map(batch.memory.bodyLine))
  }
  return { receipt: undefined, rejections }
}

interface BatchProblem {
  /** The line in the body. */
  readonly line: number
  readonly property?: string
  readonly value?: unknown
  readonly problem: string
}

type Answer<Receipt> = { readonly receipt: Receipt } | { readonly refused: ServiceRefused }

function attempts<Receipt>(target: BatchTarget, batch: Batch, body: Buffer): Promise<Answer<Receipt>> {
  const { connection, path, coding, retrySeconds: seconds, stopAsked: signal, waiting } = target
  const request = {
    ...(target.asParts
      ? { method: 'PUT' as const, path: `${path}/${batch.from.byte}` }
      : { method: 'POST' as const, path }),
    ...(target.dryRun && { query: { dryRun: 'true' } }),
    headers: {
      'content-type': mediaTypes.ndjson,
      // A part is recognised by its number.
      ...(!target.asParts && { [headers.idempotencyKey]: idempotencyKey(target.loadId, batch, body) }),
    },
    retrySeconds: 0,
    // An attempt is never aborted. Each attempt has its own signal, because fetch listens to a signal for as long as it
    // lives.
    signal: new AbortController().signal,
  } as const
  const retries = { seconds, signal, times: countingPauses(), ...(waiting && { onPause: waiting.onPause }) }
  let packed: Promise<Buffer> | undefined
  const send = async (): Promise<Receipt> => {
    const bytes = coding === undefined ? body : await (packed ??= compressed(body, coding))
    return connection.json<Receipt>({
      ...request,
      headers: { ...request.headers, ...encodingHeader(coding) },
      // A stream, because fetch copies a body that it gets in one piece.
      body: () => ReadableStream.from([bytes]),
    })
  }
  return retrying(retries, async (): Promise<Answer<Receipt>> => {
    waiting?.end()
    try {
      return { receipt: await send() }
    } catch (error) {
      if (!(error instanceof ServiceRefused)) throw error
      if (error.errorName === 'InvalidBatch') return { refused: error }
      if (error.status === 429 || error.status === 503) target.onThrottled()
      // The answer of a gateway whose service is down, or a truncated refusal.
      else if (error.errorName === '') throw new ServiceUnreachable(connection.url, error)
      throw error
    }
  })
}

const idempotencyKey = (loadId: string, { from }: Batch, body: Buffer): string =>
  createHash('sha256').update(`${loadId}\n${from.byte}\n`).update(body).digest('hex')

/** The service counts the lines of the body that it received. */
function refusedRecords(
  { parameters }: ServiceRefused,
  sent: readonly number[],
): ReadonlyMap<number, readonly BatchProblem[]> {
  const problems = (parameters['problems'] ?? []) as readonly BatchProblem[]
  const known = problems.filter(({ line }) => sent[line - 1] !== undefined)
  return Map.groupBy(known, ({ line }) => sent[line - 1] ?? 0)
}

/** Users count the lines of the file. */
const rejectionsOf = (
  batch: Batch,
  record: number,
  problems: readonly BatchProblem[],
): readonly Rejection[] => {
  const raw = batch.memory.raw(record)
  return problems.map(({ property, value, problem }) => ({
    line: batch.lines[record] ?? 0,
    problem,
    raw,
    ...(property !== undefined && { property }),
    ...(value !== undefined && { value }),
  }))
}
