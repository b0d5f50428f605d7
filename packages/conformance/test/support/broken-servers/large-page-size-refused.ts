import { refuse } from '../model-server/model-refusal.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const largePageSizeRefused: BrokenServer = {
  name: 'large-page-size-refused',
  mistake: 'refuses a page size above its maximum instead of reducing it',
  clause: 'P20',
  also: ['P23'],
  steps: () => ({
    pageSizeOf: (asked, sizes) =>
      typeof asked === 'number' && asked > sizes.maximum
        ? refuse('InvalidPageSize', { pageSize: String(asked) })
        : correctSteps.pageSizeOf(asked, sizes),
  }),
}
