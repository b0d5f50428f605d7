import type { BrokenServer } from './broken-server.ts'

export const changesStateOnEveryPage: BrokenServer = {
  name: 'changes-state-on-every-page',
  mistake: 'has a snapshot token on every page, so a client may keep one of a copy that is not complete',
  clause: 'P271',
  also: ['P270', 'P272', 'P273', 'P278', 'P279'],
  revision: '2.0',
  steps: () => ({
    changesTokens: (isLast, { next, state }) => ({
      snapshotToken: state(),
      ...(!isLast && { nextPageToken: next() }),
    }),
  }),
}
