import { Type } from 'typebox'

import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import type { Wire } from '../base/wire.ts'
import { commitCountsSchema } from '../paging/commit-counts.ts'
import { sourcePositionSchema } from '../paging/source-position.ts'

const commitFacts = {
  version: Type.String({ pattern: longTextPattern, description: 'Grows with every commit of the type.' }),
  committedAt: Type.String({ pattern: timestampTextPattern }),
  ...commitCountsSchema,
}

/** The answer to a batch or a replacement. */
export const commitReceiptSchema = Type.Object({
  ...commitFacts,
  replayed: Type.Boolean({
    description:
      'The idempotency key was used before, or the source had this position: this is the receipt of the first request.',
  }),
  source: Type.Optional(sourcePositionSchema),
})
export type CommitReceipt = Wire<typeof commitReceiptSchema>

/** The answer to a batch or a replacement with `dryRun=true`. */
export const commitPreviewSchema = Type.Object({ dryRun: Type.Literal(true), ...commitCountsSchema })
export type CommitPreview = Wire<typeof commitPreviewSchema>
