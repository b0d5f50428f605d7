import { ServiceError } from '../errors/service-error.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The framework's own reader would replace bytes that are not UTF-8, and refuse a field called `__proto__` as if the
 * body were not JSON. To JSON.parse that is a field like any other, and the endpoint refuses it by name (P27).
 */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new ServiceError('MissingPostBody', {})
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8'
    throw new ServiceError('Conjure:UnprocessableEntity', { path: '', problem }, { cause: error })
  }
}
