import type { BrokenServer } from './broken-server.ts'

export const pairsInTheOrderOfTargets: BrokenServer = {
  name: 'pairs-in-the-order-of-targets',
  mistake: 'lists pairs in the order of an index on the property that holds the keys',
  clause: 'P328',
  revision: '2.0',
  steps: () => ({
    pairsInOrder: (pairs) =>
      pairs
        .flat()
        .toSorted((a, b) => (a.target < b.target ? -1 : 1))
        .map((pair) => [pair]),
  }),
}
