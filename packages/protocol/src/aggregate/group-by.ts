import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { fieldSchema } from '../query/field.ts'
import { scalarValueSchema } from '../values/property-value.ts'

export const durationUnits = ['SECONDS', 'MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS'] as const
export type DurationUnit = (typeof durationUnits)[number]

/** One group for each value. */
const exact = Type.Object(
  {
    type: Type.Literal('exact'),
    field: fieldSchema,
    maxGroupCount: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.aggregate.groups,
        description: 'At most so many groups are returned; `excludedItems` says what the others hold.',
      }),
    ),
    includeNullValues: optional(
      Type.Boolean({ description: 'Whether objects without a value are a group of their own.' }),
    ),
  },
  closed,
)

/** From the start to before the end; without a start or an end, there is none. */
export const valueRangeSchema = Type.Object(
  { startValue: optional(scalarValueSchema), endValue: optional(scalarValueSchema) },
  closed,
)

const ranges = Type.Object(
  {
    type: Type.Literal('ranges'),
    field: fieldSchema,
    ranges: Type.Array(valueRangeSchema, { minItems: 1, maxItems: limits.aggregate.ranges }),
  },
  closed,
)

const fixedWidth = Type.Object(
  { type: Type.Literal('fixedWidth'), field: fieldSchema, fixedWidth: Type.Number() },
  closed,
)

const duration = Type.Object(
  {
    type: Type.Literal('duration'),
    field: fieldSchema,
    value: Type.Integer({ minimum: 1, maximum: limits.aggregate.durationUnits }),
    unit: Type.Enum([...durationUnits]),
  },
  closed,
)

/** By what the objects are grouped. */
export const groupBySchema = Type.Union([exact, ranges, fixedWidth, duration])
export type GroupBy = Wire<typeof groupBySchema>
