import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const linkedObjectsTwice: BrokenServer = {
  name: 'linked-objects-twice',
  mistake: 'joins the two types and returns an object for each link that leads to it',
  clause: 'P327',
  also: ['P321', 'P322', 'P323', 'P324'],
  revision: '2.0',
  steps: () => ({
    takePage: (rest, size, ask) =>
      correctSteps.takePage(
        ask.followsLinks === true ? rest.flatMap((object) => [object, object]) : rest,
        size,
        ask,
      ),
  }),
}
