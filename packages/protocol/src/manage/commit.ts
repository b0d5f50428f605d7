import { Type } from 'typebox'

import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import type { Wire } from '../base/wire.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** What a commit did, or would do. */
export const commitCountsSchema = {
  created: count('Objects that did not exist before.'),
  updated: count('Objects that existed and are different now.'),
  deleted: count('Objects that existed and do not any more.'),
  unchanged: count(
    'Lines that changed nothing: objects as they were, and deletes of objects that did not exist.',
  ),
}

const commitFacts = {
  version: Type.String({ pattern: longTextPattern, description: 'Grows with every commit of the type.' }),
  committedAt: Type.String({ pattern: timestampTextPattern }),
  ...commitCountsSchema,
}

/** The answer to a batch or a replacement. */
export const commitReceiptSchema = Type.Object({
  ...commitFacts,
  replayed: Type.Boolean({
    description: 'The idempotency key was used before: this is the receipt of the first request.',
  }),
})
export type CommitReceipt = Wire<typeof commitReceiptSchema>

/** The answer to a batch or a replacement with `dryRun=true`. */
export const commitPreviewSchema = Type.Object({ dryRun: Type.Literal(true), ...commitCountsSchema })
export type CommitPreview = Wire<typeof commitPreviewSchema>
