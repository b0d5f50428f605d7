import { Type, type TSchema } from 'typebox'

import { longTextPattern } from '../values/property-value.ts'
import { pageTokenSchema } from './page-token.ts'
import { snapshotTokenSchema, type SnapshotToken } from './snapshot-token.ts'

export const totalCountSchema = Type.String({
  pattern: '^(0|[1-9][0-9]*)$',
  description: 'The number of objects in the whole listing; a string, because it may exceed 2^53.',
})

export const totalCountIsLowerBoundSchema = Type.Literal(true, {
  description: 'Present when the objects are filtered and at least totalCount of them match, perhaps more.',
})

export const shownVersionSchema = Type.String({
  pattern: longTextPattern,
  description:
    'The version of the object type that is shown. The same on all pages of a snapshot walk; in default mode, that of each page.',
})

export const shownSnapshotTokenSchema = Type.Unsafe<SnapshotToken>({
  ...snapshotTokenSchema,
  description: 'On the last page of a snapshot walk: names the state that the walk has shown.',
})

export const checksumSchema = Type.String({
  pattern: '^[0-9a-f]{16}$',
  description:
    'On the last page of a snapshot walk of all objects: the sum of their hashes modulo 2^64, in hexadecimal.',
})

/** The envelope of every page that the service sends. Open: fields may be added, never removed. */
export function pageSchema<Item extends TSchema>(item: Item) {
  return Type.Object({ data: Type.Array(item), nextPageToken: Type.Optional(pageTokenSchema) })
}

/** What a client of revision 1.0 must accept from any server: there, null also marks the last page. */
export function receivedPageSchema<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    nextPageToken: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
  })
}
