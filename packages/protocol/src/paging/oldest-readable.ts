import { Type } from 'typebox'

import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import type { Wire } from '../base/wire.ts'

/** The oldest state that can be read. */
export const oldestReadableSchema = Type.Object(
  {
    version: Type.String({ pattern: longTextPattern }),
    committedAt: Type.String({ pattern: timestampTextPattern }),
  },
  { description: 'The oldest state that can be read: nothing is known of what ended before it.' },
)
export type OldestReadable = Wire<typeof oldestReadableSchema>
