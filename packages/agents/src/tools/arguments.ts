// The arguments that several tools have. Octavo itself checks what they mean, so that its errors are the ones that agents read.
import {
  apiFamilyPattern,
  apiNamePattern,
  limits,
  operatorsTaking,
  queryOperator,
  type OperandKind,
} from '@octavo/protocol/vocabulary'
import { Type, type TSchema } from 'typebox'

const closed = { additionalProperties: false }

export const argumentsOf = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, closed)

export const apiFamily = Type.String({
  pattern: apiFamilyPattern,
  maxLength: limits.definition.nameCharacters,
  description: 'API family of the ontology, from list_ontologies.',
})

export const objectType = Type.String({
  pattern: apiNamePattern,
  maxLength: limits.definition.nameCharacters,
  description: 'API name of the object type, from list_types.',
})

export const primaryKey = Type.Union([Type.String(), Type.Number()], {
  description: 'Primary key of the object, as text.',
})

/** The conditions that an agent may write, shortly: those with one kind of value together. */
const conditions = (kind: OperandKind, value: string): string => {
  const names = operatorsTaking(kind).map(
    (name) => `"${name}"${queryOperator(name).on === 'arrays' ? ' (arrays)' : ''}`,
  )
  return `{"type":${names.join('|')},"field":F,"value":${value}}`
}

export const query = Type.Object(
  { type: Type.String() },
  {
    description: `Which objects: ${conditions('scalar', 'V')}; ${conditions('list', '[...]')}; ${conditions('boolean', 'true')}; text, ignoring case: ${conditions('text', '"words"')}; in any text property: {"type":"keyword","query":"words"}; {"type":"and"|"or","value":[...]}; {"type":"not","value":{...}}; objects linked to others: {"type":"linked","link":L,"query":{...}}. F is a searchable property, or property:component of a struct. All objects if left out.`,
  },
)

export const select = Type.Array(Type.String(), {
  description: 'Names of the properties to return. All if left out; the primary key always.',
})

export const orderBy = Type.Array(
  Type.Object(
    {
      field: Type.String(),
      direction: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
    },
    closed,
  ),
  {
    description:
      'Order: [{"field":F,"direction":"asc"|"desc"}], with F one sortable property, or exactly the keys of one of the "orders" of the type. By primary key if left out.',
  },
)

export const pageSize = Type.Integer({
  minimum: 1,
  maximum: limits.page.searchMaximum,
  description: `The most items in one answer, from 1 to ${limits.page.searchMaximum}; ${limits.page.searchDefault} if left out. Bytes may allow fewer.`,
})

export const pageToken = Type.String({
  maxLength: 2 * limits.pageToken.characters + 64,
  description: 'To continue: copied from "next" of the last answer, with all other arguments as before.',
})

export const snapshotToken = Type.String({
  maxLength: limits.snapshotToken.characters,
  description: 'A state to read, from an earlier answer. The latest if left out.',
})

export const after = Type.String({
  maxLength: 8 * limits.definition.nameCharacters,
  description: 'To continue: copied from "next" of the last answer.',
})
