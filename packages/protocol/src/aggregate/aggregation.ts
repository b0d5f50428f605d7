import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { fieldSchema } from '../query/field.ts'

/** The order of the groups by this metric, as the API family writes it or as an order does. */
export const metricDirectionSchema = Type.Enum(['ASC', 'DESC', 'asc', 'desc'])

const named = {
  name: optional(
    Type.String({
      minLength: 1,
      maxLength: limits.definition.nameCharacters,
      description: 'The name of the metric in the answer: `count`, or `<field>.<type>`, unless it is given.',
    }),
  ),
  direction: optional(metricDirectionSchema),
}

const metric = <Name extends string>(name: Name) =>
  Type.Object({ type: Type.Literal(name), field: fieldSchema, ...named }, closed)

/** One number about the objects of a group. */
export const aggregationSchema = Type.Union([
  Type.Object({ type: Type.Literal('count'), ...named }, closed),
  metric('min'),
  metric('max'),
  metric('sum'),
  metric('avg'),
  metric('exactDistinct'),
  metric('approximateDistinct'),
])
export type Aggregation = Wire<typeof aggregationSchema>
