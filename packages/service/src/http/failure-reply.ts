// The one place that turns a failure into an answer, whatever part of the service refused.
import { errorTable, headers, type ErrorBody } from '@octavo/protocol'
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
  observe(
    status < 500
      ? {
          kind: 'request-refused',
          errorName,
          ...('reason' in parameters && { reason: parameters.reason }),
          errorInstanceId,
          requestId,
        }
      : { kind: 'request-failed', errorName, errorInstanceId, requestId, error: cause ?? error },
  )
  return {
    status,
    headers: {
      [headers.requestId]: requestId,
      ...(status === 401 && { [headers.wwwAuthenticate]: 'Bearer' }),
      ...('allowedMethods' in parameters && { [headers.allow]: parameters.allowedMethods.join(', ') }),
      ...('retryAfterSeconds' in parameters && {
        [headers.retryAfter]: String(parameters.retryAfterSeconds),
      }),
    },
    body: { errorCode: code, errorName, errorInstanceId, parameters, errorDescription: message },
  }
}
