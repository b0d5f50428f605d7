// The lines of an export (P261): objects, and lines that say from where the stream can continue, or how it has ended.
import { Type } from 'typebox'

import type { Wire } from '../base/wire.ts'
import { errorBodySchema } from '../errors/error-body.ts'
import {
  checksumSchema,
  shownSnapshotTokenSchema,
  shownVersionSchema,
  totalCountSchema,
} from '../paging/page.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { foundObjectSchema } from './object-record.ts'

export const streamObjectLineSchema = Type.Object({
  type: Type.Literal('object'),
  object: foundObjectSchema,
})
export type StreamObjectLine = Wire<typeof streamObjectLineSchema>

export const streamPageLineSchema = Type.Object({
  type: Type.Literal('page'),
  nextPageToken: pageTokenSchema,
})
export type StreamPageLine = Wire<typeof streamPageLineSchema>

export const streamEndLineSchema = Type.Object({
  type: Type.Literal('end'),
  objectCount: Type.Integer({ minimum: 0, description: 'The number of objects in this stream.' }),
  version: shownVersionSchema,
  snapshotToken: shownSnapshotTokenSchema,
  checksum: Type.Optional(checksumSchema),
  totalCount: Type.Optional(totalCountSchema),
})
export type StreamEndLine = Wire<typeof streamEndLineSchema>

export const streamErrorLineSchema = Type.Object({
  type: Type.Literal('error'),
  ...errorBodySchema.properties,
})
export type StreamErrorLine = Wire<typeof streamErrorLineSchema>

export const streamLineSchema = Type.Union(
  [streamObjectLineSchema, streamPageLineSchema, streamEndLineSchema, streamErrorLineSchema],
  {
    description: 'One line of a stream. The last line is `end` or `error`; a stream without one was cut off.',
  },
)
