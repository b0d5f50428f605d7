import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../base/errors/service-error.ts'

/**
 * The framework's own parser would replace bytes that are not UTF-8, and would refuse a field called `__proto__` as if the body
 * were not JSON. For JSON.parse that is a field like any other, and the endpoint refuses it by name (P27).
 */
export function readJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw unprocessable('it is not UTF-8')
  try {
    return JSON.parse(withoutByteOrderMark(bytes.toString()))
  } catch (error) {
    throw unprocessable('it is not JSON', error)
  }
}

const unprocessable = (problem: string, cause?: unknown): ServiceError =>
  new ServiceError('Conjure:UnprocessableEntity', { path: '', problem }, { cause })

/** Some editors write a byte order mark; it has no meaning. */
const withoutByteOrderMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/**
 * The same body without the fields that are `null`, at any depth: they count as absent (P180). Without recursion, because a body may nest
 * as deep as it is long.
 */
export function withoutNulls(body: unknown): unknown {
  const left = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, item] of Object.entries(value)) {
      if (item === null && !Array.isArray(value)) Reflect.deleteProperty(value, name)
      else left.push(item)
    }
  }
  return body
}
