// The only place that turns a failure into an answer, whichever part of the service it comes from.
import { errorTable, headers, type ErrorBody } from '@octavo/protocol'
import { shedReasonOf } from '../guard/admit/shed.ts'
import type { Observe } from '../observe/observation.ts'
import { translateError, type ExplainFailure } from './translate-error.ts'

export interface FailureReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

export interface FailureSources {
  readonly observe: Observe
  readonly explainFailure: ExplainFailure
}

export function failureReply(
  error: unknown,
  requestId: string,
  { observe, explainFailure }: FailureSources,
): FailureReply {
  const { errorName, parameters, message, cause } = translateError(error, explainFailure)
  const { code, status } = errorTable[errorName]
  const errorInstanceId = crypto.randomUUID()
  const shedFor = shedReasonOf(cause)
  if (shedFor !== undefined) {
    observe({ kind: 'request-shed', errorName, reason: shedFor, errorInstanceId, requestId })
  } else if (status < 500) {
    const reason = 'reason' in parameters && { reason: parameters.reason }
    observe({ kind: 'request-refused', errorName, ...reason, errorInstanceId, requestId })
  } else {
    observe({ kind: 'request-failed', errorName, errorInstanceId, requestId, error: cause ?? error })
  }
  return {
    status,
    headers: {
      [headers.requestId]: requestId,
      ...(status === 401 && { [headers.wwwAuthenticate]: 'Bearer' }),
      ...('allowedMethods' in parameters && { [headers.allow]: parameters.allowedMethods.join(', ') }),
      // RFC 9110, 12.5.3
      ...('acceptedEncodings' in parameters && {
        [headers.acceptEncoding]: parameters.acceptedEncodings.join(', '),
      }),
      ...('retryAfterSeconds' in parameters && {
        [headers.retryAfter]: String(parameters.retryAfterSeconds),
      }),
    },
    body: { errorCode: code, errorName, errorInstanceId, parameters, errorDescription: message },
  }
}
