import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { closed, type Wire } from '../base/wire.ts'
import { fieldSchema } from '../query/field.ts'
import { scalarValueSchema } from '../values/property-value.ts'

/** A property, or a component of a struct. */
export const propertyIdentifierSchema = Type.Union([
  Type.Object({ type: Type.Literal('property'), apiName: fieldSchema }, closed),
  Type.Object(
    {
      type: Type.Literal('structField'),
      propertyApiName: Type.String(),
      structFieldApiName: Type.String(),
    },
    closed,
  ),
])
export type PropertyIdentifier = Wire<typeof propertyIdentifierSchema>

/** One of the two says which property is meant. */
const property = {
  field: Type.Optional(fieldSchema),
  propertyIdentifier: Type.Optional(propertyIdentifierSchema),
}

const comparison = <Operator extends string>(operator: Operator) =>
  Type.Object({ type: Type.Literal(operator), ...property, value: scalarValueSchema }, closed)

const terms = <Operator extends string>(operator: Operator) =>
  Type.Object({ type: Type.Literal(operator), ...property, value: Type.String() }, closed)

const anyOrderTerms = <Operator extends string>(operator: Operator) =>
  Type.Object(
    {
      type: Type.Literal(operator),
      ...property,
      value: Type.String(),
      fuzzy: Type.Optional(Type.Boolean({ description: 'Only false: terms are never matched roughly.' })),
    },
    closed,
  )

const junction = <Operator extends string>(operator: Operator) =>
  Type.Object({ type: Type.Literal(operator), value: Type.Array(Type.Ref('Where')) }, closed)

/** The conditions of revision v2. Check the nesting first, as for a query. */
export const whereSchema = Type.Cyclic(
  {
    Where: Type.Union([
      comparison('eq'),
      comparison('lt'),
      comparison('lte'),
      comparison('gt'),
      comparison('gte'),
      Type.Object(
        {
          type: Type.Literal('in'),
          ...property,
          value: Type.Array(scalarValueSchema, { maxItems: limits.query.inValues }),
        },
        closed,
      ),
      Type.Object({ type: Type.Literal('isNull'), ...property, value: Type.Boolean() }, closed),
      comparison('contains'),
      terms('startsWith'),
      terms('containsAllTermsInOrder'),
      terms('containsAllTermsInOrderPrefixLastTerm'),
      anyOrderTerms('containsAllTerms'),
      anyOrderTerms('containsAnyTerm'),
      junction('and'),
      junction('or'),
      Type.Object({ type: Type.Literal('not'), value: Type.Ref('Where') }, closed),
    ]),
  },
  'Where',
)
export type Where = Wire<typeof whereSchema>

/** Ways to name a property that the API family has, and this service does not. */
export const unsupportedIdentifiers: readonly string[] = [
  'primaryKeyProperty',
  'titleProperty',
  'propertyWithLoadLevel',
]

/** What the API family has, and this service does not. */
export const unsupportedConditions: readonly string[] = [
  'regex',
  'wildcard',
  'interval',
  'relativeDateRange',
  'geoShapeV2',
  'withinBoundingBox',
  'withinDistanceOf',
  'withinPolygon',
  'intersectsBoundingBox',
  'intersectsPolygon',
  'doesNotIntersectBoundingBox',
  'doesNotIntersectPolygon',
]
