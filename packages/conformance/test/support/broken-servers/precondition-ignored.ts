import type { BrokenServer } from './broken-server.ts'

export const preconditionIgnored: BrokenServer = {
  name: 'precondition-ignored',
  mistake: 'applies a batch whose precondition it does not know, over what another client has written',
  clause: 'P408',
  steps: () => ({ refusePreconditions: () => {} }),
}
