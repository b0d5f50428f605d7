import { Type } from 'typebox'

import {
  checksumSchema,
  pageSchema,
  shownSnapshotTokenSchema,
  shownVersionSchema,
  totalCountSchema,
} from '../paging/page.ts'
import { propertyValueSchema } from '../values/property-value.ts'
import type { Wire } from '../base/wire.ts'

export const foundObjectSchema = Type.Object({
  primaryKey: Type.String({ description: 'The primary key as text, whatever its type.' }),
  objectType: Type.String(),
  title: Type.Optional(Type.String({ description: 'The text of the title property, when it has a value.' })),
  properties: Type.Record(Type.String(), propertyValueSchema),
})
export type FoundObject = Wire<typeof foundObjectSchema>

export const foundObjectsPageSchema = Type.Object({
  ...pageSchema(foundObjectSchema).properties,
  version: shownVersionSchema,
  snapshotToken: Type.Optional(shownSnapshotTokenSchema),
  checksum: Type.Optional(checksumSchema),
  totalCount: Type.Optional(totalCountSchema),
})
export type FoundObjectsPage = Wire<typeof foundObjectsPageSchema>
