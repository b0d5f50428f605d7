import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const changesNameWhatWasNeverSeen: BrokenServer = {
  name: 'changes-name-what-was-never-seen',
  mistake: 'deletes for everybody what was deleted, also for those whose query it never matched',
  clause: 'P273',
  revision: '2.0',
  steps: () => ({
    changesBetween: (store, asked) => {
      const everything = { ...asked, ask: { ...asked.ask, query: { type: 'empty' } as const } }
      const shown = correctSteps.changesBetween(store, asked)
      const named = new Set(shown.map(({ id }) => id))
      const deleted = correctSteps
        .changesBetween(store, everything)
        .filter(({ type, id }) => type === 'delete' && !named.has(id))
      return [...shown, ...deleted]
    },
  }),
}
