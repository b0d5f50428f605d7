import type { PageSizes } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'

const digits = /^[0-9]+$/

/** Reads a page size from a query string. A text that is not a number is passed on, so that parsePageSize refuses it. */
export const pageSizeFromText = (text: string | undefined): unknown =>
  text !== undefined && digits.test(text) ? Number(text) : text

/** A size above the maximum is reduced (P20); zero, a negative number or a non-integer is refused (P21). */
export function parsePageSize(size: unknown, sizes: PageSizes): number {
  if (size === undefined) return sizes.default
  if (
    typeof size !== 'number' ||
    size < 1 ||
    !(Number.isInteger(size) || size === Number.POSITIVE_INFINITY)
  ) {
    // The value is never written out whole: deeply nested lists would exhaust the stack.
    const text = typeof size === 'string' || typeof size === 'number' ? `${size}` : 'not a number'
    throw new ServiceError('InvalidPageSize', { pageSize: text.slice(0, 100) })
  }
  return Math.min(size, sizes.maximum)
}
