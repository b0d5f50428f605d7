import type { BrokenServer } from './broken-server.ts'

export const pairsCutInsideAnObject: BrokenServer = {
  name: 'pairs-cut-inside-an-object',
  mistake: 'ends a page of pairs wherever it is full, and continues within the pairs of one object',
  clause: 'P328',
  revision: '2.0',
  steps: () => ({
    pairsInOrder: (pairs) => pairs.flat().map((pair) => [pair]),
  }),
}
