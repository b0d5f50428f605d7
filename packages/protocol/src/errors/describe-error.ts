import type { ErrorName, ErrorParameters } from './error-name.ts'
import type { ErrorRow } from './error-row.ts'
import { errorTable } from './error-table.ts'

/** The text of `errorDescription`: the advice from the error's row with its parameters filled in. */
export function describeError<Name extends ErrorName>(name: Name, parameters: ErrorParameters<Name>): string {
  const values = new Map<string, unknown>(Object.entries(parameters))
  const { advice, adviceFor }: ErrorRow = errorTable[name]
  return (adviceFor(parameters as never) ?? advice).replaceAll(
    /\{(\w+)\}/g,
    (placeholder, parameter: string) =>
      values.has(parameter) ? asWords(values.get(parameter)) : placeholder,
  )
}

function asWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(asWords).join(', ')
  return JSON.stringify(value)
}
