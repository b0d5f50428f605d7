// Opens an answer that is read piece by piece: it may be larger than the memory, and take longer than any time-out.
import { startDeadline } from './deadline.ts'
import { FailedAttempt } from './failed-attempt.ts'
import { readAnswer, requireOurAnswer } from './read-answer.ts'
import { askFor, failureOf } from './send-request.ts'
import { OctavoError } from '../errors/octavo-error.ts'
import type { ReadRequest, Signals, Transport } from './transport.ts'

export interface OpenAnswer {
  /** The next bytes; a failure if none come in time, or no more come at all. */
  readonly read: () => Promise<Uint8Array>
  readonly close: () => void
  readonly isClosed: () => boolean
}

const lines = 'application/x-ndjson'

export async function openAnswer(
  transport: Transport,
  request: ReadRequest,
  { token, signals: given }: { readonly token: string; readonly signals: Signals },
): Promise<OpenAnswer> {
  const signals = given.filter((signal) => signal !== undefined)
  const connection = new AbortController()
  const close = () => {
    connection.abort()
    for (const signal of signals) signal.removeEventListener('abort', close)
  }
  for (const signal of signals) signal.addEventListener('abort', close)
  /** Does this within the time-out of a request; the connection is closed otherwise. */
  const inTime = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const deadline = startDeadline([], transport.timeoutSeconds)
    deadline.signal.addEventListener('abort', close)
    try {
      return await work()
    } catch (cause) {
      close()
      throw failureOf(transport, deadline, cause)
    } finally {
      deadline.clear()
    }
  }
  const requestId = transport.newRequestId()
  const accepted = transport.seen.accepted
  const response = await inTime(async () => {
    const answer = await askFor(transport, request, {
      token,
      requestId,
      accept: lines,
      signal: connection.signal,
    })
    const isStream = answer.headers.get('content-type')?.startsWith(lines)
    if (answer.status === 200 && isStream) {
      requireOurAnswer(transport, { response: answer, requestId })
      return answer
    }
    const bytes = await answer.arrayBuffer()
    if (answer.status !== 200) await readAnswer(transport, { response: answer, bytes, requestId, accepted })
    throw noStream(transport)
  })
  const reader = response.body?.getReader()
  return {
    read: () =>
      inTime(async () => {
        const { done = true, value } = (await reader?.read()) ?? {}
        if (done || value === undefined) throw new Error('the stream has no last line')
        return value
      }),
    close,
    isClosed: () => connection.signal.aborted,
  }
}

const noStream = ({ url }: Transport): FailedAttempt =>
  new FailedAttempt(
    new OctavoError({
      errorName: 'UnreadableAnswer',
      parameters: { status: 200, start: '' },
      sentence: `${url} did not answer with a stream. It may be older than streams: read the objects with all() instead.`,
      status: 200,
    }),
    { retryable: false },
  )
