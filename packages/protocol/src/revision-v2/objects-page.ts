import { Type } from 'typebox'

import { pageTokenSchema } from '../paging/page-token.ts'
import {
  shownSnapshotTokenSchema,
  shownVersionSchema,
  totalCountIsLowerBoundSchema,
  totalCountSchema,
} from '../paging/page.ts'
import type { Wire } from '../base/wire.ts'
import { flatObjectSchema } from './object-record.ts'

const nothing = Type.Object({}, { description: 'Empty: there are no interfaces.' })

export const flatObjectsPageSchema = Type.Object({
  data: Type.Array(flatObjectSchema),
  nextPageToken: Type.Optional(pageTokenSchema),
  totalCount: totalCountSchema,
  totalCountIsLowerBound: Type.Optional(totalCountIsLowerBoundSchema),
  version: shownVersionSchema,
  snapshotToken: Type.Optional(shownSnapshotTokenSchema),
})
export type FlatObjectsPage = Wire<typeof flatObjectsPageSchema>

export const loadedObjectsPageSchema = Type.Object({
  ...flatObjectsPageSchema.properties,
  propertySecurities: Type.Array(Type.Unknown(), { description: 'Empty: properties have none.' }),
})

export const loadedMixedPageSchema = Type.Object({
  ...loadedObjectsPageSchema.properties,
  interfaceToObjectTypeMappings: nothing,
  interfaceToObjectTypeMappingsV2: nothing,
})
