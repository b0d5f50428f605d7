// Instances are restarted in turn under walks of the official client, which retries 503 and 429 by itself and nothing else: a
// connection that breaks ends its walk.
import { createClient, type ObjectTypeDefinition } from '@osdk/client'
import { items, loadItems } from '../../packages/service/test/support/load-items.ts'
import { withServedLoad } from '../harness/with-store.ts'
import { rollingRestart, startBalancedInstances } from '../harness/balanced-instances.ts'
import { tokensOf } from '../harness/tokens-of.ts'
import { expect, type Proof } from '../harness/prove.ts'

const objects = 3_000
const walkers = 6

interface Walked {
  walks: number
  readonly failures: string[]
}

export async function proveRestarts(proof: Proof): Promise<void> {
  const rounds = proof.short ? 1 : 10
  const stopDelaySeconds = proof.short ? 3 : 5
  await proof.point('Three instances are restarted in turn, and no walk of asyncIter fails', () =>
    withServedLoad(async ({ databaseUrl, store, ontology }) => {
      const { type } = await loadItems(store, ontology, objects, 'walked')
      const instances = await startBalancedInstances(databaseUrl, stopDelaySeconds)
      try {
        const expected = items(objects)
          .map(({ id }) => id)
          .join()
        const seen: Walked = { walks: 0, failures: [] }
        let ending = false
        const isEnding = () => ending
        const tokens = await tokensOf(store, ontology, { count: walkers, called: 'walker' })
        const walking = tokens.map(async (token) => {
          const client = createClient(instances.url, ontology.rid, async () => token)
          const walked: ObjectTypeDefinition = { type: 'object', apiName: type.apiName }
          while (!isEnding()) await walkOnce(seen, expected, () => client(walked).asyncIter())
        })
        let restarts = 0
        for (let round = 0; round < rounds; round += 1) {
          const served = await rollingRestart(instances.each, proof.say)
          restarts += served.length
          expect(Math.min(...served) > 0, `an instance served no pages: ${served.join(', ')}`)
        }
        ending = true
        await Promise.all(walking)
        const { walks, failures } = seen
        expect(failures.length === 0, `${failures.length} walks failed: ${failures.slice(0, 3).join('; ')}`)
        expect(walks > restarts * 3, `only ${walks} walks ended`)
        return `${restarts} restarts, ${walks} walks of ${objects.toLocaleString('en')} objects, 0 failed`
      } finally {
        await instances.stop()
      }
    }),
  )
}

async function walkOnce(
  seen: Walked,
  expected: string,
  walk: () => AsyncIterable<{ readonly $primaryKey: unknown }>,
): Promise<void> {
  try {
    const keys: unknown[] = []
    for await (const { $primaryKey } of walk()) keys.push($primaryKey)
    if (keys.join() !== expected) seen.failures.push(`a walk returned ${keys.length} objects`)
    seen.walks += 1
  } catch (error) {
    seen.failures.push(error instanceof Error ? `${error.name} ${error.message}` : String(error))
  }
}
