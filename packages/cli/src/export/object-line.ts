// An object as a line of a file; `octavo load` reads it back as the same object.
import type { TypeFacts } from '../reading/type-facts.ts'

export type Properties = Readonly<Record<string, unknown>>

export interface ObjectLines {
  /** The text before the first object. */
  readonly header: string
  readonly line: (properties: Properties) => string
}

export const ndjsonLines: ObjectLines = {
  header: '',
  line: (properties) => `${jsonText(properties)}\n`,
}

/** One column per property, in the order of the definition. Arrays and structs are JSON. */
export function csvLines({ properties }: Pick<TypeFacts, 'properties'>): ObjectLines {
  const names = [...properties.keys()]
  return {
    header: `${names.map(cellText).join(',')}\n`,
    line: (object) => `${names.map((name) => cellText(object[name])).join(',')}\n`,
  }
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : jsonText(value)
  // An empty text is quoted: unquoted it would mean no value. Leading and trailing spaces are quoted for readers that trim.
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// JSON has a negative zero and the service keeps it, but JSON.stringify loses its sign.
const jsonText = (value: unknown): string =>
  holdsNegativeZero(value) ? textWithNegativeZero(value) : JSON.stringify(value)

function holdsNegativeZero(value: unknown): boolean {
  if (typeof value === 'number') return Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return false
  for (const part of Array.isArray(value) ? value : Object.values(value))
    if (holdsNegativeZero(part)) return true
  return false
}

function textWithNegativeZero(value: unknown): string {
  if (Object.is(value, -0)) return '-0.0'
  if (Array.isArray(value)) return `[${value.map(textWithNegativeZero).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, part]) => `${JSON.stringify(name)}:${textWithNegativeZero(part)}`,
  )
  return `{${members.join(',')}}`
}
