// An object as a line of a file; `octavo load` reads it back as the same object.
import { CliError } from '../base/cli-error.ts'
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

interface CsvForm {
  /** Whether a text that a spreadsheet would take for a formula gets an apostrophe before it. */
  readonly escapesFormulas: boolean
}

/** One column per property, in the order of the definition. Arrays and structs are JSON. */
export function csvObjectLines(
  { apiName, properties }: Pick<TypeFacts, 'apiName' | 'properties'>,
  { escapesFormulas }: CsvForm,
): ObjectLines {
  const columns = [...properties].map(([name, type]) => ({
    name,
    cell: escapesFormulas && type === 'string' ? (value: unknown) => cellText(escaped(value)) : cellText,
  }))
  return {
    header: `${columns.map(({ name }) => cellText(escapesFormulas ? escaped(name) : name)).join(',')}\n`,
    line: (object) => {
      requireColumns(object, { apiName, properties })
      return `${columns.map(({ name, cell }) => cell(object[name])).join(',')}\n`
    },
  }
}

/** A property that was added meanwhile has no column, and would be lost. */
export function requireColumns(
  object: Properties,
  { apiName, properties }: Pick<TypeFacts, 'apiName' | 'properties'>,
): void {
  for (const name in object) {
    if (properties.has(name)) continue
    throw new CliError(
      `${apiName} has got the property ${name} since this export began: run the command again.`,
    )
  }
}

/** Numbers and dates have types of their own: only a text can be taken for a formula. */
const escaped = (value: unknown): unknown =>
  typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value

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
