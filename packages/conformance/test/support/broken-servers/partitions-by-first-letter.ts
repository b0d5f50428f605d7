import type { BrokenServer } from './broken-server.ts'

export const partitionsByFirstLetter: BrokenServer = {
  name: 'partitions-by-first-letter',
  mistake: 'splits the alphabet and not the objects, whose keys all begin alike',
  clause: 'P258',
  revision: '2.0',
  steps: () => ({
    splitEnds: (_state, partitionCount) => [
      ...Array.from({ length: partitionCount - 1 }, (_, i) =>
        String.fromCodePoint(0x20 + Math.floor(((i + 1) * 0x60) / partitionCount)),
      ),
      undefined,
    ],
  }),
}
