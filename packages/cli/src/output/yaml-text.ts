import { stringify } from 'yaml'
import { escapedJson } from './printed-value.ts'

export function yamlText(value: unknown): string {
  const text = stringify(value, { lineWidth: 0 })
  // Only a text in double quotes can have escapes, and it can have those of JSON.
  return escapedJson(text) === text
    ? text
    : escapedJson(stringify(value, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE' }))
}
