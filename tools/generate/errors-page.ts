// Generates docs/reference/errors.md from the closed table of errors.

import { errorNames, errorTable, type ErrorName } from '@octavo/protocol'

export function errorsPage(): string {
  return [
    '# Errors',
    '',
    'A request was refused: what is wrong, and what do you do next? This page has every error, by its `errorName`. The body of an error is',
    'always `{ errorCode, errorName, errorInstanceId, parameters, errorDescription }`, with the advice below, or a more exact one, in `errorDescription` and',
    'its names filled in. The status follows from `errorCode`. "Retry" says whether the same request, sent again later, may succeed',
    'unchanged; [the specification](../../spec/README.md#the-loop-of-a-client) says how a client waits, continues or stops.',
    '',
    'This page is generated: change `packages/protocol/src/errors/error-table.ts` and run `npm run generate`.',
    '',
    ...errorNames.toSorted(byWord).flatMap(errorSection),
  ].join('\n')
}

function errorSection(name: ErrorName): readonly string[] {
  const row = errorTable[name]
  return [
    `## ${name}`,
    '',
    row.meaning,
    '',
    `- Status: ${row.status}, \`${row.code}\``,
    `- Parameters: ${parameterList(row.parameters)}`,
    `- Retry: ${row.retryable ? 'yes' : 'no'}`,
    `- What to do: ${escaped(row.advice)}`,
    '',
  ]
}

interface ParametersSchema {
  readonly properties: object
  readonly required?: readonly string[] | undefined
}

function parameterList(schema: ParametersSchema): string {
  const required = new Set(schema.required)
  const parameters = Object.entries(schema.properties).map(([name, type]: [string, unknown]) => {
    const optional = required.has(name) ? '' : ', optional'
    return `\`${name}\` (${typeWords(type)}${optional})`
  })
  return parameters.length === 0 ? 'none' : parameters.join(', ')
}

function typeWords(type: unknown): string {
  if (typeof type !== 'object' || type === null) return 'any value'
  if ('enum' in type && Array.isArray(type.enum)) return type.enum.map((value) => `"${value}"`).join(' or ')
  if ('anyOf' in type && Array.isArray(type.anyOf)) return type.anyOf.map(typeWords).join(' or ')
  if ('items' in type) return `list of ${typeWords(type.items)}`
  if ('properties' in type && typeof type.properties === 'object' && type.properties !== null) {
    return `{ ${Object.keys(type.properties).join(', ')} }`
  }
  return 'type' in type && typeof type.type === 'string' ? type.type : 'any value'
}

/** Prettier and Markdown renderers would take `<token>` for HTML. */
function escaped(sentence: string): string {
  return sentence.replaceAll(/<(\w+)>/g, '`<$1>`').replaceAll(/\{(\w+)\}/g, '`{$1}`')
}

function byWord(a: string, b: string): number {
  return a.localeCompare(b, 'en')
}
