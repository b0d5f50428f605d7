// Moves named shapes into `components/schemas` and leaves references in their place, so that the document defines each once, and
// so that a query can contain queries.
import * as protocol from '@octavo/protocol'
import { isJsonObject, type JsonObject } from '../../base/value/json-object.ts'

const names: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [protocol.errorBodySchema, 'Error'],
  [protocol.listedObjectSchema, 'ListedObject'],
  [protocol.listedObjectsPageSchema, 'ListedObjectsPage'],
  [protocol.listedObjectTypeSchema, 'ListedObjectType'],
  [protocol.listedObjectTypesPageSchema, 'ListedObjectTypesPage'],
  [protocol.ontologySchema, 'Ontology'],
  [protocol.ontologiesPageSchema, 'OntologiesPage'],
  [protocol.searchRequestSchema, 'SearchRequest'],
  [protocol.foundObjectSchema, 'FoundObject'],
  [protocol.foundObjectsPageSchema, 'FoundObjectsPage'],
  [protocol.streamLineSchema, 'StreamLine'],
  [protocol.aggregationSchema, 'Metric'],
  [protocol.groupBySchema, 'GroupBy'],
  [protocol.commitReceiptSchema, 'CommitReceipt'],
  [protocol.loadSchema, 'Load'],
  [protocol.managedOntologySchema, 'ManagedOntology'],
  [protocol.managedObjectTypeSchema, 'ManagedObjectType'],
  [protocol.objectTypeDefinitionSchema, 'ObjectTypeDefinition'],
  [protocol.accessTokenRecordSchema, 'AccessToken'],
  [protocol.searchableObjectTypeSchema, 'SearchableObjectType'],
  [protocol.searchableObjectTypesPageSchema, 'SearchableObjectTypesPage'],
  [protocol.propertyTypeSchema, 'PropertyType'],
  [protocol.propertyValueSchema, 'PropertyValue'],
  [protocol.scalarValueSchema, 'ScalarValue'],
])

export interface ComponentSchemas {
  /** The schema of a request, or a reference to it, as it appears where it is used. */
  readonly use: (schema: unknown) => unknown
  /**
   * That of an answer: its lists of words may get new ones (P142). A named shape that requests have too is what it is here, so answers
   * come before requests.
   */
  readonly show: (schema: unknown) => unknown
  readonly all: () => JsonObject
}

export function componentSchemas(): ComponentSchemas {
  const components = new Map<string, unknown>()

  const writer = (isAnswer: boolean) => {
    const use = (schema: unknown): unknown => {
      const name = names.get(schema)
      if (name === undefined) return rewrite(schema)
      if (!components.has(name)) {
        // The name is registered before the schema is rewritten: a shape may contain itself.
        components.set(name, undefined)
        components.set(name, rewrite(schema))
      }
      return reference(name)
    }

    const rewrite = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(use)
      if (!isJsonObject(value)) return value
      const { $defs, $ref, patternProperties, ...rest } = value
      if (isJsonObject($defs)) {
        for (const [name, shape] of Object.entries($defs))
          if (!components.has(name)) components.set(name, titled(rewrite(shape)))
      }
      if (typeof $ref === 'string') return reference($ref)
      const written = Object.fromEntries(
        Object.entries(isAnswer ? withOpenWords(rest) : rest)
          .filter(([key]) => key !== '$id')
          .map(([key, inner]) => [key, use(inner)]),
      )
      if (!isJsonObject(patternProperties)) return written
      // "Any name" has a shorter notation, which more tools understand.
      const { '^.*$': any, ...others } = patternProperties
      return {
        ...written,
        ...(any !== undefined && { additionalProperties: use(any) }),
        ...(Object.keys(others).length > 0 && { patternProperties: use(others) }),
      }
    }
    return use
  }

  const inOrder = () => [...components].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { use: writer(false), show: writer(true), all: () => Object.fromEntries(inOrder()) }
}

/** A word that a reader does not know must not break the code that was generated for it. */
function withOpenWords(schema: JsonObject): JsonObject {
  const { enum: words, ...rest } = schema
  return Array.isArray(words) ? { type: 'string', ...rest, 'x-extensible-enum': words } : schema
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Shows a variant that its `type` identifies under that name, not as one "object" among many. */
function titled(schema: unknown): unknown {
  if (!isJsonObject(schema) || !Array.isArray(schema['anyOf'])) return schema
  return { ...schema, anyOf: schema['anyOf'].map((variant: unknown) => withTitle(variant)) }
}

function withTitle(variant: unknown): unknown {
  const type =
    isJsonObject(variant) && isJsonObject(variant['properties']) ? variant['properties']['type'] : undefined
  return isJsonObject(variant) && isJsonObject(type) && typeof type['const'] === 'string'
    ? { title: type['const'], ...variant }
    : variant
}
