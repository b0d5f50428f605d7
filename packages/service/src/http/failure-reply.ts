// The only place that turns a failure into an answer, whichever part of the service it comes from.
import { errorTable, headers, type ErrorBody, limits, mediaTypes } from '@octavo/protocol'
import { shedReasonOf } from '../guard/admit/shed.ts'
import type { Observe } from '../observe/observation.ts'
import { ServiceError } from '../base/errors/service-error.ts'

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

/** Explains a failure of a part that http/ does not know, such as the database, as an error for the caller. */
export type ExplainFailure = (error: unknown) => ServiceError | undefined

/** Turns whatever was thrown into a row of the error table. The framework's own refusals are recognised by their code. */
export const translateError = (error: unknown, explainFailure: ExplainFailure): ServiceError => {
  if (error instanceof ServiceError) return error
  const cause = { cause: error }
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError(
        'RequestTooLarge',
        { limit: 'bodyBytes', maximum: limits.request.bodyBytes },
        cause,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('Conjure:UnsupportedMediaType', { expectedMediaType: mediaTypes.json }, cause)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ServiceError(
        'Conjure:UnprocessableEntity',
        { path: '', problem: 'its length differs from its Content-Length' },
        cause,
      )
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ServiceError('PathNotFound', {}, cause)
    default:
      return explainFailure(error) ?? new ServiceError('Default:Internal', {}, cause)
  }
}
