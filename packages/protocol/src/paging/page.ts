import { Type, type TSchema } from 'typebox'

import { pageTokenSchema } from './page-token.ts'

/** The envelope of every page we send. Open: fields may be added, never removed. */
export function pageSchema<Item extends TSchema>(item: Item) {
  return Type.Object({ data: Type.Array(item), nextPageToken: Type.Optional(pageTokenSchema) })
}

/** What a client of revision 1.0 must accept from any server: there null also marks the last page. */
export function receivedPageSchema<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    nextPageToken: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
  })
}
