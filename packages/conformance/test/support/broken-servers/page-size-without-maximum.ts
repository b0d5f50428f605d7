import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const pageSizeWithoutMaximum: BrokenServer = {
  name: 'page-size-without-maximum',
  mistake: 'sends pages as large as anybody asks for',
  clause: 'P20',
  also: ['P23'],
  objects: 1_300,
  steps: () => ({
    pageSizeOf: (asked, sizes) =>
      correctSteps.pageSizeOf(asked, { ...sizes, maximum: Number.POSITIVE_INFINITY }),
  }),
}
