import type { BrokenServer } from './broken-server.ts'

export const limitNotTold: BrokenServer = {
  name: 'limit-not-told',
  mistake: 'says nothing of the limit that will end a list until it has ended it',
  clause: 'P249',
  revision: '1.0',
  objects: 10_200,
  steps: () => ({ limitOf: () => ({}) }),
}
