import { Type } from 'typebox'

import type { Wire } from '../base/wire.ts'
import { shownVersionSchema } from '../paging/page.ts'
import { scalarValueSchema } from '../values/property-value.ts'

/** A value, the start of a width or of a duration, a range, or null for the objects without a value. */
const groupValueSchema = Type.Union([
  scalarValueSchema,
  Type.Object({ startValue: Type.Optional(scalarValueSchema), endValue: Type.Optional(scalarValueSchema) }),
  Type.Null(),
])
export type GroupValue = Wire<typeof groupValueSchema>

export const aggregateGroupSchema = Type.Object({
  group: Type.Record(Type.String(), groupValueSchema, {
    description: 'What the objects of the group have in common, by the field of each item of `groupBy`.',
  }),
  metrics: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Type.Optional(scalarValueSchema),
    }),
    { description: 'In the order of the request. `min`, `max` and `avg` of no values have no value.' },
  ),
})
export type AggregateGroup = Wire<typeof aggregateGroupSchema>

export const aggregateSchema = Type.Object({
  data: Type.Array(aggregateGroupSchema, { description: 'The groups; without `groupBy`, exactly one.' }),
  excludedItems: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'How many objects are in the groups that `maxGroupCount` left out; absent if none are.',
    }),
  ),
  version: shownVersionSchema,
})
export type Aggregate = Wire<typeof aggregateSchema>
