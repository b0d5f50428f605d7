import type { ModelWalk } from '../model-server/model-token.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const pageTokenAsSnapshotToken: BrokenServer = {
  name: 'page-token-as-snapshot-token',
  mistake: 'seals both kinds of tokens alike, and takes a page token for a snapshot token',
  clause: 'P242',
  steps: () => ({
    openSnapshot: (token, asked) => {
      const opened = asked.box.open(String(token))
      if (opened === undefined || !('version' in opened)) return correctSteps.openSnapshot(token, asked)
      const { version } = opened as ModelWalk
      return { version, identity: `version ${version}` }
    },
  }),
}
