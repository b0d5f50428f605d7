import type { BrokenServer } from './broken-server.ts'

export const totalsOnPagesOfAPartition: BrokenServer = {
  name: 'totals-on-pages-of-a-partition',
  mistake:
    'sends the total and the checksum of the whole collection with each partition, as if it were a walk of all',
  clause: 'P257',
  revision: '2.0',
  steps: () => ({
    showsTotals: () => true,
  }),
}
