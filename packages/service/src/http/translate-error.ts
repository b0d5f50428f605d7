import { limits, mediaTypes } from '@octavo/protocol'
import { ServiceError } from '../errors/service-error.ts'

/** Makes a row of the error table of whatever was thrown. The framework's own refusals are known by their code. */
export const translateError = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  const cause = { cause: error }
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError(
        'RequestTooLarge',
        { part: 'body', maximumBytes: limits.request.bodyBytes },
        cause,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('Conjure:UnsupportedMediaType', { expectedMediaType: mediaTypes.json }, cause)
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new ServiceError('MissingPostBody', {}, cause)
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ServiceError('Conjure:UnprocessableEntity', { path: '', problem: 'it is not JSON' }, cause)
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ServiceError('PathNotFound', {}, cause)
    default:
      return new ServiceError('Default:Internal', {}, cause)
  }
}
