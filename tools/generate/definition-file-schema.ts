// The JSON Schema of definition files, for editors: docs/reference/definition-file.schema.json and packages/cli.
import { definitionFileSchema } from '@octavo/protocol'

type JsonObject = Readonly<Record<string, unknown>>

export function definitionFileJsonSchema(): string {
  const definitions: Record<string, unknown> = {}
  const schema = written(definitionFileSchema, definitions)
  return JSON.stringify({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Octavo definition file',
    description: 'An ontology and its object types, as `octavo apply` reads them.',
    ...(isObject(schema) ? schema : {}),
    $defs: definitions,
  })
}

/** Recursive shapes move to `$defs`, where every validator looks for them. */
function written(schema: unknown, definitions: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => written(item, definitions))
  if (!isObject(schema)) return schema
  const { $defs, $ref, ...rest } = schema
  if (isObject($defs)) {
    for (const [name, shape] of Object.entries($defs))
      definitions[name] ??= written(withoutId(shape), definitions)
  }
  if (typeof $ref === 'string') return { $ref: `#/$defs/${$ref}` }
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, written(inner, definitions)]))
}

function withoutId(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { $id: _, ...rest } = schema
  return rest
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
