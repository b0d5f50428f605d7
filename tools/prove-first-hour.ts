// `npm run prove:first-hour`: what a newcomer meets. Each point is a file in prove-first-hour/.

import { prove } from './prove.ts'
import { proveOneLine } from './prove-first-hour/one-line-starts-it.ts'
import { proveTests } from './prove-first-hour/tests.ts'

await prove('first-hour', async (proof) => {
  await proveOneLine(proof)
  await proveTests(proof)
})
