import { Type } from 'typebox'

import { pageSchema } from '../paging/page.ts'
import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import type { Wire } from '../base/wire.ts'

const commitFacts = {
  version: Type.String({ pattern: longTextPattern, description: 'Grows with every commit of the type.' }),
  committedAt: Type.String({ pattern: timestampTextPattern }),
  put: Type.Integer({ minimum: 0, description: 'Objects that are new or have changed.' }),
  deleted: Type.Integer({ minimum: 0, description: 'Objects that existed and were deleted.' }),
  unchanged: Type.Integer({
    minimum: 0,
    description: 'Puts that changed nothing, and deletes of objects that did not exist.',
  }),
}

/** The answer to a batch or a replacement. */
export const commitReceiptSchema = Type.Object({
  ...commitFacts,
  replayed: Type.Boolean({
    description: 'The idempotency key was used before: this is the receipt of the first request.',
  }),
})
export type CommitReceipt = Wire<typeof commitReceiptSchema>

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** The answer to a batch or a replacement with `dryRun=true`. */
export const commitPreviewSchema = Type.Object({
  dryRun: Type.Literal(true),
  created: count('Objects that would be new.'),
  changed: count('Objects that would change.'),
  unchanged: count('Lines that would change nothing: objects as they are, and deletes of none.'),
  deleted: count('Objects that would be deleted.'),
  objects: count('Objects of the types of the batch, as it is now.'),
  mostDeleted: Type.Optional(count('Of a replacement: how many objects it may delete before it is refused.')),
})
export type CommitPreview = Wire<typeof commitPreviewSchema>

/** One commit in the list of commits of an object type. */
export const commitRecordSchema = Type.Object({
  ...commitFacts,
  live: Type.String({ pattern: '^(0|[1-9][0-9]*)$', description: 'Objects of the type after the commit.' }),
  idempotencyKey: Type.Optional(Type.String()),
})
export type CommitRecord = Wire<typeof commitRecordSchema>

export const commitsPageSchema = pageSchema(commitRecordSchema)
