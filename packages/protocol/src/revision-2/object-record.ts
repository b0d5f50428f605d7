import { Type } from 'typebox'

import {
  checksumSchema,
  driftSchema,
  pageSchema,
  shownSnapshotTokenSchema,
  snapshotVersionSchema,
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
  snapshotVersion: Type.Optional(snapshotVersionSchema),
  snapshotToken: Type.Optional(shownSnapshotTokenSchema),
  checksum: Type.Optional(checksumSchema),
  totalCount: Type.Optional(totalCountSchema),
  drift: Type.Optional(driftSchema),
})
export type FoundObjectsPage = Wire<typeof foundObjectsPageSchema>
