import { Type } from 'typebox'

import { closed, type Wire } from '../base/wire.ts'
import { pageTokenSchema } from './page-token.ts'
import { snapshotTokenSchema, type SnapshotToken } from './snapshot-token.ts'

/** How a walk whose state is gone continues in a later one (P246). */
export const continueWithSchema = Type.Object(
  {
    fromSnapshotToken: Type.Unsafe<SnapshotToken>({
      ...snapshotTokenSchema,
      description: 'Names the state that the walk has shown so far.',
    }),
    toSnapshotToken: Type.Unsafe<SnapshotToken>({
      ...snapshotTokenSchema,
      description: 'Names the latest state.',
    }),
    changesPageToken: pageTokenSchema,
    pageToken: pageTokenSchema,
  },
  {
    ...closed,
    description:
      'How to continue without reading anything twice: the changes from `fromSnapshotToken` to `toSnapshotToken`, read with `changesPageToken`, are those of the objects that the walk has returned; the walk continues in the state of `toSnapshotToken` with `pageToken`.',
  },
)
export type ContinueWith = Wire<typeof continueWithSchema>
