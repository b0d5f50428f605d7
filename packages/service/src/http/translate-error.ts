import { limits, mediaTypes } from '@octavo/protocol'
import { ServiceError } from '../base/errors/service-error.ts'

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
