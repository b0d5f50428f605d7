// Looks at an object set, or at the conditions of a where clause, before its shape is checked: by a list instead of by recursion, so
// that no nesting can exhaust the stack, and by name, so that what this service does not have is refused as what it is.
import {
  limits,
  objectSetSchema,
  propertyIdentifierSchema,
  unsupportedConditions,
  unsupportedIdentifiers,
  unsupportedObjectSets,
  whereSchema,
} from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { isJsonObject, type JsonObject } from '../../base/value/json-object.ts'

type Kind = 'objectSet' | 'where'

interface Node {
  readonly kind: Kind
  readonly value: unknown
}

export function checkNesting(first: Node): void {
  const open = [first]
  let nodes = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isJsonObject(next.value)) continue
    nodes += 1
    if (nodes > limits.query.nodes)
      throw new ServiceError('QueryTooLarge', { limit: 'nodes', maximum: limits.query.nodes })
    refuseUnsupported(next.kind, next.value['type'])
    if (next.kind === 'where') refuseUnsupportedName(next.value['propertyIdentifier'])
    open.push(...childrenOf(next.kind, next.value))
  }
}

const childrenOf = (kind: Kind, node: JsonObject): readonly Node[] =>
  kind === 'objectSet'
    ? [
        ...[node['objectSet'], ...listOf(node['objectSets'])].map((value) => ({ kind, value })),
        { kind: 'where', value: node['where'] },
      ]
    : [node['value']]
        .flatMap((value) => (isJsonObject(value) ? [value] : listOf(value)))
        .map((value) => ({ kind, value }))

/** One more than the limit is enough to prove that it is exceeded. */
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, limits.query.nodes + 1) : []

function refuseUnsupported(kind: Kind, type: unknown): void {
  if (typeof type !== 'string') return
  if (kind === 'objectSet' && unsupportedObjectSets.includes(type))
    throw new ServiceError('UnsupportedObjectSet', { type, reason: 'kind', supported: supportedSets })
  if (kind === 'where' && unsupportedConditions.includes(type))
    throw new ServiceError('UnsupportedCondition', { type, supported: supportedConditions })
}

function refuseUnsupportedName(identifier: unknown): void {
  const type = isJsonObject(identifier) ? identifier['type'] : undefined
  if (typeof type !== 'string' || !unsupportedIdentifiers.includes(type)) return
  throw new ServiceError('UnsupportedCondition', { type, supported: supportedIdentifiers })
}

const supportedIdentifiers = propertyIdentifierSchema.anyOf.map(({ properties }) => properties.type.const)
const supportedSets = objectSetSchema.$defs.ObjectSet.anyOf.map(({ properties }) => properties.type.const)
const supportedConditions = whereSchema.$defs.Where.anyOf.map(({ properties }) => properties.type.const)
