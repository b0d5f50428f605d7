// Each call of the clients that the tests make, on the service in a separate process.
import { officialCalls } from '../../packages/service/test/support/official-clients/all-calls.ts'
import { makeFlightWorld } from '../../packages/service/test/support/official-clients/flight-world.ts'
import type { ServedCollection } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'

export async function proveMatrix(proof: Proof, { url, store, ontology }: ServedCollection): Promise<void> {
  await proof.point('Every call of the official clients gets the right answer', async () => {
    const world = await makeFlightWorld(url, store, ontology)
    const wrong: string[] = []
    for (const { name, make } of officialCalls) {
      await make(world).catch((error: unknown) => wrong.push(`${name}: ${String(error).slice(0, 300)}`))
    }
    expect(wrong.length === 0, `${wrong.length} of ${officialCalls.length} are wrong: ${wrong.join('; ')}`)
    return `${officialCalls.length} calls, all right`
  })
}
