import { Type } from 'typebox'

import { limits } from '../base/limits.ts'

/** Names one state of some object types. Opaque to every client; only the service can open it. */
export type SnapshotToken = string & { readonly '~brand': 'SnapshotToken' }

export const snapshotTokenSchema = Type.Unsafe<SnapshotToken>(
  Type.String({
    minLength: 1,
    maxLength: limits.snapshotToken.characters,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'Names a state: the objects are read in it.',
  }),
)
