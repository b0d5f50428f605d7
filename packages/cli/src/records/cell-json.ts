// Converts a cell to the JSON that the property's type requires. A cell that does not look like its type is sent as text:
// the service knows the rules, and its message names the value.
import type { PropertyType } from '@octavo/protocol'
import type { Cell } from './csv-cells.ts'

const jsonNumber = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/
// Spreadsheets write booleans in capitals.
const jsonBoolean = /^(true|false)$/i

/** Undefined means no value: an empty cell without quotes. */
export function cellJson({ text, isQuoted }: Cell, type: PropertyType): string | undefined {
  if (text === '' && !isQuoted) return undefined
  if (typeof type !== 'string') return isJson(text) ? onOneLine(text) : JSON.stringify(text)
  switch (type) {
    case 'integer':
    case 'double':
      return jsonNumber.test(text) ? text : JSON.stringify(text)
    case 'boolean':
      return jsonBoolean.test(text) ? text.toLowerCase() : JSON.stringify(text)
    case 'string':
    case 'long':
    case 'decimal':
    case 'date':
    case 'timestamp':
      return JSON.stringify(text)
    default:
      return type satisfies never
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

// In valid JSON, line ends occur only between tokens, and a batch has one object per line.
const onOneLine = (json: string): string => json.replaceAll(/[\r\n]+/g, ' ')
