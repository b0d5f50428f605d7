import { Type } from 'typebox'

import { pageTokenSchema } from '../paging/page-token.ts'
import {
  driftSchema,
  shownSnapshotTokenSchema,
  snapshotVersionSchema,
  totalCountIsBoundSchema,
  totalCountSchema,
  walkLimitSchema,
} from '../paging/page.ts'
import type { Wire } from '../base/wire.ts'
import { listedObjectSchema } from './object-record.ts'

export const listedObjectsPageSchema = Type.Object({
  data: Type.Array(listedObjectSchema),
  nextPageToken: Type.Optional(pageTokenSchema),
  totalCount: totalCountSchema,
  totalCountIsBound: Type.Optional(totalCountIsBoundSchema),
  snapshotVersion: Type.Optional(snapshotVersionSchema),
  snapshotToken: Type.Optional(shownSnapshotTokenSchema),
  drift: Type.Optional(driftSchema),
  walkLimit: Type.Optional(walkLimitSchema),
})
export type ListedObjectsPage = Wire<typeof listedObjectsPageSchema>
