import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const digestInTheOrderOfTheMachine: BrokenServer = {
  name: 'digest-in-the-order-of-the-machine',
  mistake: 'sends the bytes of a hash as they lie in memory, the least significant one first',
  clause: 'P239',
  steps: () => ({ xxh64Of: (body) => Buffer.from(correctSteps.xxh64Of(body).toReversed()) }),
}
