// Generates docs/reference/wire.md: every operation in one list, so that shapes can be compared with each other.
import { describeService } from '@octavo/service'
import { operationsOf, type OpenApi, type Operation, type Schema } from '../wire/operations.ts'

export async function wirePage(): Promise<string> {
  const document = JSON.parse(await describeService()) as OpenApi
  const operations = operationsOf(document)
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const { schemas } = document.components
  return [
    '# The wire',
    '',
    'Every operation beside every other: what it takes and what it answers. The OpenAPI document has the descriptions. This page is',
    'generated; change a route or a schema and run `npm run generate`.',
    '',
    'Types: s text, n number, i integer, b boolean, "a" | "b" one of these words (in answers, new words may come), [x] a list, {} an',
    'object, {*: x} a map; a name with `?` may be absent. Types that begin with a capital are at the end.',
    '',
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      '',
      ...operations.filter((operation) => operation.tag === tag).flatMap(entry),
      '',
    ]),
    '## Types',
    '',
    ...Object.entries(schemas)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, schema]) => [`- ${name}`, `  - ${code(shown(schema))}`]),
    '',
  ].join('\n')
}

function entry({ method, path, query, headers, body, bodyType, answers }: Operation): readonly string[] {
  const parameters = query.map(
    ({ name, required, schema }) => `${name}${required ? '' : '?'} ${shown(schema)}`,
  )
  return [
    `- ${method} ${code(path)}`,
    ...(parameters.length === 0 ? [] : [`  - query ${code(parameters.join(', '))}`]),
    ...(headers.length === 0
      ? []
      : [`  - headers ${headers.map(({ name }) => code(name.toLowerCase())).join(', ')}`]),
    ...(body === undefined ? [] : [`  - ${isLines(bodyType) ? 'lines' : 'body'} ${code(shown(body))}`]),
    ...answers.map(([status, answer, type, own], i) => {
      const lines = isLines(type) ? ', lines' : ''
      const withHeaders =
        own.length === 0 ? '' : `, with ${own.map((name) => code(name.toLowerCase())).join(', ')}`
      const text = answer === undefined ? '' : ` ${code(shown(answer))}`
      const [before, same] = answers[i - 1] ?? []
      const isRepeated = answer !== undefined && same !== undefined && shown(same) === shown(answer)
      return `  - ${status}${lines}${isRepeated ? ` as ${before}` : text}${withHeaders}`
    }),
  ]
}

const isLines = (type: string | undefined): boolean => type?.includes('ndjson') ?? false

const code = (text: string): string => `\`${text}\``

function shown(schema: Schema): string {
  const { $ref, anyOf, items, properties, type } = schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (anyOf !== undefined) {
    const others = anyOf.filter((each) => each.type !== 'null').map(shown)
    return [...new Set(others)].join(' | ')
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const words = schema.enum ?? schema['x-extensible-enum']
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(' | ')
  if (items !== undefined) return `[${shown(items)}]`
  if (properties !== undefined) {
    const required = new Set(schema.required)
    const members = Object.entries(properties).map(
      ([name, each]) => `${name}${required.has(name) ? '' : '?'} ${shown(each)}`,
    )
    return `{${members.join(', ')}}`
  }
  const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
  if (typeof values === 'object') return `{*: ${shown(values)}}`
  const letters: Readonly<Record<string, string>> = {
    string: 's',
    number: 'n',
    integer: 'i',
    boolean: 'b',
    object: '{}',
  }
  return letters[type ?? ''] ?? 'any'
}
