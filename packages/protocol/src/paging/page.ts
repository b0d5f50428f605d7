import { Type, type TSchema } from 'typebox'

import { longTextPattern } from '../values/property-value.ts'
import { pageTokenSchema } from './page-token.ts'

export const totalCountSchema = Type.String({
  pattern: '^(0|[1-9][0-9]*)$',
  description: 'The number of objects in the whole listing; a string, because it may exceed 2^53.',
})

export const snapshotVersionSchema = Type.String({
  pattern: longTextPattern,
  description: 'In a snapshot walk: the version that all its pages show.',
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
