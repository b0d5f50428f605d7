import type { BrokenServer } from './broken-server.ts'

export const partOfOneCaller: BrokenServer = {
  name: 'part-of-one-caller',
  mistake: 'binds the token of a part to the caller who split, so that it cannot be handed to a reader',
  clause: 'P256',
  revision: '2.0',
  steps: () => ({
    partWalk: (walk, caller) => ({ ...walk, caller }),
  }),
}
