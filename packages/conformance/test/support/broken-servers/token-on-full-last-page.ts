import type { BrokenServer } from './broken-server.ts'

export const tokenOnFullLastPage: BrokenServer = {
  name: 'token-on-full-last-page',
  mistake: 'takes a full page for a sign that more exist, without looking one object ahead',
  clause: 'P3',
  steps: () => ({
    tokenField: ({ objects, size }, seal) => (objects.length === size ? seal() : undefined),
  }),
}
