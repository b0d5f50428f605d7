import { correctSteps } from '../model-server/steps.ts'
import { ownerType } from '../model-server/model-data.ts'
import type { BrokenServer } from './broken-server.ts'

/** A token of the state of the owners alone. */
const namesOwners = (opened: object | undefined): boolean =>
  opened !== undefined &&
  'versions' in opened &&
  Object.keys(opened.versions as object).join() === ownerType.apiName

export const linkStateNotNamed: BrokenServer = {
  name: 'link-state-not-named',
  mistake: 'follows links with a snapshot token that does not name the state of the other type',
  clause: 'P322',
  revision: '2.0',
  steps: () => ({
    openSnapshot: (token, asked) =>
      asked.objectType === 'thing' && typeof token === 'string' && namesOwners(asked.box.open(token))
        ? { version: 0, identity: 'version 0' }
        : correctSteps.openSnapshot(token, asked),
  }),
}
