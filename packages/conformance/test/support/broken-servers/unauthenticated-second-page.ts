import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const unauthenticatedSecondPage: BrokenServer = {
  name: 'unauthenticated-second-page',
  mistake: 'takes the page token for a credential, so later pages need no other',
  clause: 'P115',
  also: ['P116'],
  steps: () => ({
    callerOf: (bearer, request) =>
      correctSteps.callerOf(bearer, request) ?? (request.hasPageToken ? 'ada' : undefined),
  }),
}
