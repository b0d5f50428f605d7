import type { ScalarType } from '@octavo/protocol'

const integer = /^-?(0|[1-9][0-9]*)$/
const number = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

/** Reads a value from a path or a query string, as JSON would represent it; undefined for a text that cannot be one. */
export function valueFromText(type: ScalarType, text: string): string | number | boolean | undefined {
  switch (type) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'integer':
      return integer.test(text) ? Number(text) : undefined
    case 'double':
      return number.test(text) ? Number(text) : undefined
    default:
      return text
  }
}
