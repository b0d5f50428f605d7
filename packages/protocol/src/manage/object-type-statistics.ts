import { Type } from 'typebox'

import { oldestReadableSchema } from '../paging/oldest-readable.ts'
import { fieldSchema } from '../query/field.ts'
import { orderDirectionSchema } from '../query/order-direction.ts'
import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import type { Wire } from '../base/wire.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const tableSchema = (description: string) =>
  Type.Object(
    {
      rowCount: count('Roughly: an estimate of the database.'),
      byteCount: count('On disk, with all indexes.'),
    },
    { description },
  )

const indexStatisticsSchema = Type.Object({
  kind: Type.Enum(['primaryKey', 'order', 'start', 'members', 'terms'], {
    description:
      '`order` has whole values, `start` the beginnings of strings, `members` the values of arrays, `terms` the terms of texts.',
  }),
  fields: Type.Array(Type.Object({ field: fieldSchema, direction: orderDirectionSchema })),
  byteCount: Type.Optional(count('On disk, of current objects and of history.')),
  useCount: Type.Optional(count('How often the database has read it since it began to count.')),
})

/** What an object type holds, and what that costs. */
export const objectTypeStatisticsSchema = Type.Object({
  objectType: Type.String(),
  version: Type.String({ pattern: longTextPattern, description: 'The version of the last commit.' }),
  committedAt: Type.String({ pattern: timestampTextPattern }),
  objectCount: count('Of all objects as they are now, whatever a policy hides.'),
  retentionSeconds: Type.Integer({
    minimum: 0,
    description: 'How long a state is kept after it has stopped being the latest.',
  }),
  oldestReadable: oldestReadableSchema,
  current: Type.Optional(tableSchema('The objects as they are now.')),
  history: Type.Optional(tableSchema('States that were replaced or deleted.')),
  changes: Type.Optional(tableSchema('Which objects each commit has changed.')),
  indexes: Type.Array(indexStatisticsSchema),
})
export type ObjectTypeStatistics = Wire<typeof objectTypeStatisticsSchema>
