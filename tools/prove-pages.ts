// `npm run prove:pages`: bad input does no harm, large pages use little memory, no query runs for a client that is gone. The promises
// themselves are tests (packages/service/test/promises). The short form is smaller, and leaves out the points that are tests.

import { proveBadInput } from './prove-pages/survives-bad-input.ts'
import { proveGoneClients } from './prove-pages/gone-client.ts'
import { proveMemory } from './prove-pages/stays-small.ts'
import { withServedItems } from './prove-pages/serve-items.ts'
import { prove } from './prove.ts'

await prove('pages', async (proof) => {
  await withServedItems(async (served) => {
    await proveBadInput(proof, served)
    await proveGoneClients(proof, served)
  })
  // A separate process: memory that bad input caused is not counted here.
  await withServedItems((served) => proveMemory(proof, served))
})
