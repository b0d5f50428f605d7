import { Type } from 'typebox'

import { pageTokenSchema } from '../paging/page-token.ts'
import {
  shownSnapshotTokenSchema,
  shownVersionSchema,
  totalCountIsLowerBoundSchema,
  totalCountSchema,
} from '../paging/page.ts'
import type { Wire } from '../base/wire.ts'
import { listedObjectSchema } from './object-record.ts'

export const listedObjectsPageSchema = Type.Object({
  data: Type.Array(listedObjectSchema),
  nextPageToken: Type.Optional(pageTokenSchema),
  totalCount: totalCountSchema,
  totalCountIsLowerBound: Type.Optional(totalCountIsLowerBoundSchema),
  version: shownVersionSchema,
  snapshotToken: Type.Optional(shownSnapshotTokenSchema),
})
export type ListedObjectsPage = Wire<typeof listedObjectsPageSchema>
