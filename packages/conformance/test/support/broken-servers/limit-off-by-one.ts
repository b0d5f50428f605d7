import { limits } from '@octavo/protocol'
import { refuse } from '../model-server/model-refusal.ts'
import type { BrokenServer } from './broken-server.ts'

const limit = limits.walk.listObjects - 1

export const limitOffByOne: BrokenServer = {
  name: 'limit-off-by-one',
  mistake: 'ends a list one object before the limit',
  clause: 'P71',
  also: ['P70'],
  revision: '1.0',
  objects: 10_050,
  steps: () => ({
    roomFor: (_, returned) =>
      returned < limit
        ? limit - returned
        : refuse('ObjectsExceededLimit', { limit: 'objects', maximum: limit }),
  }),
}
