// Idle connections, and clients that read their pages slowly.
import { residentMegabytes } from '../harness/cpu-time.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { whileHolding } from './hold-order.ts'
import type { ServedCallers } from './served-callers.ts'

const mostMegabytes = 1_000

export async function proveHeldConnections(proof: Proof, served: ServedCallers): Promise<void> {
  const idle = proof.short ? 1_000 : 10_000
  const readers = proof.short ? 100 : 1_000
  await proof.point(
    `An instance holds ${idle.toLocaleString('en')} idle connections and ${readers.toLocaleString('en')} slow readers below 1 GB, and serves others`,
    () =>
      served.withInstance('near', async ({ url, pid }) => {
        const [page] = served.requestsFor(1_000)
        const [large, largeOfAnother] = served.largeRequests
        if (page === undefined || large === undefined || largeOfAnother === undefined)
          throw new Error('no callers')
        const atRest = residentMegabytes(pid)
        const slow = [
          { request: page, count: readers, tries: proof.short ? 100 : 3 },
          // Pages larger than any socket buffer: the service keeps what their clients have not read.
          { request: large, count: Math.floor(readers / 5), tries: 3 },
        ]
        return whileHolding({ url, idle, slow }, async (held) => {
          const [ordinary, largeReaders] = held.slow
          if (ordinary === undefined || largeReaders === undefined) throw new Error('a report is missing')
          const megabytes = residentMegabytes(pid)
          proof.say(
            `${atRest.toFixed(0)} MB at rest, ${megabytes.toFixed(0)} MB with ${held.idle} idle, ${ordinary.reading} readers ` +
              `and ${largeReaders.reading} of pages of 8 MiB; ${largeReaders.refused} of these were refused`,
          )
          expect(held.idle === idle, `only ${held.idle} idle connections were held`)
          expect(ordinary.reading === readers, `only ${ordinary.reading} readers have a page`)
          expect(largeReaders.reading > 0 && largeReaders.refused > 0, 'the memory for pages was not used up')
          expect(megabytes < mostMegabytes, `it needs ${megabytes.toFixed(0)} MB`)
          const { path, ...init } = largeOfAnother
          const answer = await fetch(url + path, init)
          const bytes = (await answer.arrayBuffer()).byteLength
          expect(answer.status === 200, `another caller was answered with ${answer.status}`)
          return `${megabytes.toFixed(0)} MB, and another caller got a page of ${bytes} bytes`
        })
      }),
  )
}
