import type { ScalarType, ScalarValue } from '@octavo/protocol'
import { wireTime } from './column-time.ts'

/**
 * Of the ways to write a value, the shortest: 1.50 is 1.5, and -0 is 0. Where equal values are taken together, none of them is the one
 * to show.
 */
export function shortestValue(scalar: ScalarType, value: ScalarValue): ScalarValue {
  if (typeof value === 'number') return value + 0
  if (scalar !== 'decimal' || typeof value !== 'string' || !value.includes('.')) return value
  return value.replace(/\.?0+$/, '')
}

/** The value that a text of a column stands for. */
export function valueOfColumn(scalar: ScalarType, text: string): ScalarValue {
  switch (scalar) {
    case 'integer':
    case 'double':
      return shortestValue(scalar, Number(text))
    case 'boolean':
      return text === 'true'
    case 'timestamp':
      return wireTime(text)
    default:
      return shortestValue(scalar, text)
  }
}
