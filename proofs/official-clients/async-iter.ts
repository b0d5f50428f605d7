// `asyncIter` of the official client while others write: what it returns is exactly one state that stood when the walk began.
import { createClient, type ObjectTypeDefinition } from '@osdk/client'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import type { ServedCollection } from '../harness/with-store.ts'
import type { Proof } from '../harness/prove.ts'
import { walkUnderWriter } from './walk-under-writer.ts'

export async function proveAsyncIter(
  proof: Proof,
  { url, store, ontology }: ServedCollection,
): Promise<void> {
  const objects = proof.short ? 5_000 : 1_000_000
  await proof.point(
    `asyncIter over ${objects.toLocaleString('en')} objects is exactly one state, while others write`,
    async () => {
      const client = createClient(url, ontology.rid, async () => testToken)
      const ofCounted: ObjectTypeDefinition = { type: 'object', apiName: 'counted' }
      const { figures } = await walkUnderWriter(
        { store, ontology, apiName: 'counted', objects, say: proof.say },
        async ({ take }) => {
          for await (const object of client(ofCounted).asyncIter())
            take(object.$primaryKey, Reflect.get(object, 'edition'))
        },
      )
      return figures
    },
  )
}
