// From bytes to JSON. Detects whatever a proxy or a network can do to an answer: an answer that is not from the service, is
// truncated, was altered, or belongs to another request.
import { answeredError, isErrorBody } from '../errors/answered-error.ts'
import { FailedAttempt, unlucky } from './failed-attempt.ts'
import { retryAfterSeconds } from './retry-delay.ts'
import type { Transport } from './transport.ts'

export interface RawAnswer {
  readonly response: Response
  readonly bytes: ArrayBuffer
  readonly requestId: string
  /** Which of the transport's `accepts` the request had. */
  readonly accepted: number
  readonly arrived?: ((bytes: ArrayBuffer) => void) | undefined
}

export function readAnswer(transport: Transport, answer: RawAnswer): unknown {
  const { response, bytes } = answer
  requireOurAnswer(transport, answer)
  if (response.status !== 200) throw refusal(answer)
  answer.arrived?.(bytes)
  const body = jsonOf(bytes, response)
  if (body === undefined) {
    doubtCoding(transport, answer)
    throw unreadable(answer)
  }
  return body.value
}

/** A compressed answer that cannot be read was perhaps not unpacked: the next attempt asks for another coding. */
function doubtCoding({ accepts, seen }: Transport, { response, accepted }: RawAnswer): void {
  // Several requests may be under way, and fail for the same reason.
  if (accepted !== seen.accepted || !response.headers.has('content-encoding')) return
  seen.accepted = Math.min(accepted + 1, accepts.length - 1)
}

/** The URL without page tokens and filter values, because errors are logged. */
const placeOf = ({ url }: Response): string => url.replace(/\?.*/, '')

/** The prefix of the ids that this client generates. An id of another form was set by a proxy and proves nothing. */
export const requestIdPrefix = 'octavo-'

export function requireOurAnswer(
  { seen }: Transport,
  { response, requestId }: Pick<RawAnswer, 'response' | 'requestId'>,
): void {
  const id = response.headers.get('x-request-id')
  if (id === requestId) {
    seen.requestId = true
    return
  }
  // A gateway that refuses the request on behalf of the service does not know the id.
  if (id?.startsWith(requestIdPrefix) || (seen.requestId && response.status === 200)) {
    throw unlucky({
      errorName: 'MisdirectedAnswer',
      parameters: {},
      sentence: `${placeOf(response)} sent the answer to another request. Check the proxies between this client and the service.`,
      status: response.status,
    })
  }
}

/** Undefined if the answer is not JSON. Broken UTF-8 is refused: replacement characters would be silently wrong. */
function jsonOf(bytes: ArrayBuffer, { headers }: Response): { readonly value: unknown } | undefined {
  if (!/json/i.test(headers.get('content-type') ?? '')) return undefined
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown }
  } catch {
    return undefined
  }
}

const retryableStatuses = new Set([429, 502, 503, 504])

function refusal(answer: RawAnswer): FailedAttempt {
  const { response, bytes } = answer
  const { status } = response
  const body = jsonOf(bytes, response)?.value
  const error = isErrorBody(body) ? answeredError(status, body) : unreadable(answer).error
  const retryable =
    retryableStatuses.has(status) ||
    // A scan that has not advanced yet has no token to continue with.
    (error.errorName === 'ScanTimedOut' && error.parameters.pageToken === undefined)
  return new FailedAttempt(error, {
    retryable,
    afterSeconds: retryAfterSeconds(response.headers.get('retry-after')),
  })
}

function unreadable({ response, bytes }: RawAnswer): FailedAttempt {
  const { status } = response
  const start = new TextDecoder().decode(bytes.slice(0, 80))
  const type = response.headers.get('content-type') ?? 'no content type'
  return unlucky({
    errorName: 'UnreadableAnswer',
    parameters: { status, start },
    sentence: `${placeOf(response)} answered ${status} with ${type} that is not complete JSON: ${JSON.stringify(start)}. Check the url, and the proxies between this client and the service.`,
    status,
  })
}
