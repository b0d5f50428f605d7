import type { PageSizes } from '@octavo/protocol'
import { ServiceError } from '../errors/service-error.ts'

const digits = /^[0-9]+$/

/** Above the maximum it is reduced (P20); zero, negative or not an integer it is refused (P21). */
export function parsePageSize(value: unknown, sizes: PageSizes): number {
  if (value === undefined) return sizes.default
  const size = typeof value === 'string' && digits.test(value) ? Number(value) : value
  if (typeof size !== 'number' || size < 1 || !(Number.isInteger(size) || size === Number.POSITIVE_INFINITY)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    throw new ServiceError('InvalidPageSize', { pageSize: text.slice(0, 100) })
  }
  return Math.min(size, sizes.maximum)
}
