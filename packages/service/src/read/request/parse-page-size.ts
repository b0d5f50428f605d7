import type { PageSizes } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'

const digits = /^[0-9]+$/

/** As it stands in a query string: a text that is no number is left for parsePageSize to refuse. */
export const pageSizeFromText = (text: string | undefined): unknown =>
  text !== undefined && digits.test(text) ? Number(text) : text

/** Above the maximum it is reduced (P20); zero, negative or not an integer it is refused (P21). */
export function parsePageSize(size: unknown, sizes: PageSizes): number {
  if (size === undefined) return sizes.default
  if (
    typeof size !== 'number' ||
    size < 1 ||
    !(Number.isInteger(size) || size === Number.POSITIVE_INFINITY)
  ) {
    // Never written out whole: a list in lists in lists would exhaust the stack.
    const text = typeof size === 'string' || typeof size === 'number' ? `${size}` : 'not a number'
    throw new ServiceError('InvalidPageSize', { pageSize: text.slice(0, 100) })
  }
  return Math.min(size, sizes.maximum)
}
