import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const pageSizeZeroAccepted: BrokenServer = {
  name: 'page-size-zero-accepted',
  mistake: 'takes a page size of zero for none at all',
  clause: 'P21',
  also: ['P110'],
  steps: () => ({
    pageSizeOf: (asked, sizes) => correctSteps.pageSizeOf(asked === 0 ? undefined : asked, sizes),
  }),
}
