// Bad input does no harm, large pages use little memory, no query runs for a client that is gone. The promises themselves are tests
// (packages/service/test/promises). The short form is smaller.
import { within, type Points } from './harness/prove.ts'
import { proveGoneClients } from './pages/gone-client.ts'
import { withServedItems } from './pages/serve-items.ts'
import { proveMemory } from './pages/stays-small.ts'
import { proveBadInput } from './pages/survives-bad-input.ts'

export const points: Points = {
  ...within(withServedItems, { 'bad-input': proveBadInput, 'gone-clients': proveGoneClients }),
  // A separate process: memory that bad input caused is not counted here.
  ...within(withServedItems, { memory: proveMemory }),
}
