// Sends one request until it has an answer: with a token fetched for each attempt, a time-out, and retries.
import { OctavoError } from '../errors/octavo-error.ts'
import { pause, startDeadline, throwIfAborted, type Deadline } from './deadline.ts'
import { FailedAttempt, unlucky } from './failed-attempt.ts'
import { readAnswer } from './read-answer.ts'
import { retryDelay } from './retry-delay.ts'
import type { ReadRequest, Signals, Transport } from './transport.ts'

export const sendRequest = (
  transport: Transport,
  request: ReadRequest,
  given: Signals = [],
): Promise<unknown> =>
  untilAnswered(transport, given, (token, signals) => attempt(transport, request, { token, signals }))

/** Makes attempts until one succeeds, or until it is no use to make another. */
export async function untilAnswered<Answer>(
  transport: Transport,
  given: Signals,
  tryOnce: (token: string, signals: readonly AbortSignal[]) => Promise<Answer>,
): Promise<Answer> {
  const signals = given.filter((signal) => signal !== undefined)
  let refused = false
  for (let retry = 0; ; retry += 1) {
    throwIfAborted(signals)
    const token = await tokenFor(transport, refused)
    // An attempt listens for what happens from now on.
    throwIfAborted(signals)
    try {
      return await tryOnce(token, signals)
    } catch (failure) {
      throwIfAborted(signals)
      if (!(failure instanceof FailedAttempt)) throw failure
      const { error, afterSeconds = 0 } = failure
      // A token can expire between being fetched and being used, so the first refusal is retried; a second one in a row is
      // final.
      const attempt = retry + 1
      if (error.status === 401 && typeof transport.token === 'function' && !refused) {
        refused = true
        transport.onRetry({ attempt, waitMilliseconds: 0, cause: error })
        continue
      }
      if (!failure.retryable || retry >= transport.retries) throw error
      if (afterSeconds > transport.longestWaitSeconds) throw error
      const waitMilliseconds = Math.ceil(retryDelay(retry, { ...transport, afterSeconds }))
      transport.onRetry({ attempt, waitMilliseconds, cause: error })
      await pause(waitMilliseconds, signals)
    }
  }
}

async function tokenFor({ token, requireToken }: Transport, refused: boolean): Promise<string> {
  if (typeof token === 'string') return token
  const returned = await token({ refused })
  requireToken(returned, true)
  return returned
}

async function attempt(
  transport: Transport,
  request: ReadRequest,
  { token, signals }: { readonly token: string; readonly signals: readonly AbortSignal[] },
): Promise<unknown> {
  const requestId = transport.newRequestId()
  const { accepted } = transport.seen
  const deadline = startDeadline(signals, transport.timeoutSeconds + (request.waitSeconds ?? 0))
  try {
    const response = await askFor(transport, request, { token, requestId, signal: deadline.signal })
    const bytes = await response.arrayBuffer()
    deadline.clear()
    return readAnswer(transport, { response, bytes, requestId, accepted, arrived: request.arrived })
  } catch (cause) {
    throw failureOf(transport, deadline, cause)
  } finally {
    deadline.clear()
  }
}

interface Sending {
  readonly token: string
  readonly requestId: string
  readonly signal: AbortSignal
  readonly accept?: string
}

export function askFor(
  transport: Transport,
  { path, body }: ReadRequest,
  { token, requestId, signal, accept = 'application/json' }: Sending,
): Promise<Response> {
  const coding = transport.accepts[transport.seen.accepted]
  return transport.fetch(transport.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept,
      'x-request-id': requestId,
      ...(coding !== undefined && { 'accept-encoding': coding }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A page is the answer for one moment, so it is never cached.
    cache: 'no-store',
    signal,
  })
}

/** What `fetch` threw, as a failure that says what to do. Errors of the client's own are left as they are. */
export function failureOf(transport: Transport, { hasPassed }: Deadline, cause: unknown): Error {
  if (cause instanceof FailedAttempt || cause instanceof OctavoError) return cause
  return hasPassed() ? timedOut(transport) : networkFailure(transport, cause)
}

const timedOut = ({ url, timeoutSeconds }: Transport) =>
  unlucky({
    errorName: 'RequestTimedOut',
    parameters: { timeoutSeconds },
    sentence: `${url} did not answer within ${timeoutSeconds} seconds. Use smaller pages, or raise timeoutSeconds.`,
  })

const networkFailure = ({ url }: Transport, cause: unknown) =>
  unlucky({
    errorName: 'NetworkFailure',
    parameters: {},
    sentence: `${url} could not be reached, or its answer broke off. Check the url and the network; the walk can continue where it is.`,
    cause,
  })
