import { versionsOf } from '../model-server/object-versions.ts'
import type { BrokenServer } from './broken-server.ts'

export const versionsForgetDeletes: BrokenServer = {
  name: 'versions-forget-deletes',
  mistake: 'lists the rows of its history table, which has none for the time after a deletion',
  clause: 'P280',
  revision: '2.0',
  steps: () => ({
    versionsOf: (...asked) => versionsOf(...asked).filter(({ type }) => type === 'put'),
  }),
}
