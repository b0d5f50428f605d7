import type { BrokenServer } from './broken-server.ts'

export const partitionOfOneCaller: BrokenServer = {
  name: 'partition-of-one-caller',
  mistake: 'binds the token of a partition to the caller who split, so that it cannot be handed to a reader',
  clause: 'P256',
  revision: '2.0',
  steps: () => ({
    partitionWalk: (walk, caller) => ({ ...walk, caller }),
  }),
}
