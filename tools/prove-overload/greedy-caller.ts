// Two callers share an instance; one of them sends twenty times its half.
import { expect, type Proof } from '../prove.ts'
import { capacityOf } from './capacity-of.ts'
import { describeOutcome, sendLoad, sendStream } from './load-order.ts'
import type { ServedCallers } from './served-callers.ts'

export async function proveFairness(
  proof: Proof,
  { requestsFor, withInstance }: ServedCallers,
): Promise<void> {
  await proof.point('A caller that sends twenty times its share does not slow down another', () =>
    withInstance('distant', async (instance) => {
      const { url } = instance
      const requests = requestsFor(10)
      const seconds = proof.short ? 4 : 30
      const capacity = await capacityOf(instance, requests, proof.short ? 150 : 1_500)
      const [quietRequest, greedyRequest] = requests
      if (quietRequest === undefined || greedyRequest === undefined) throw new Error('no callers')
      const quiet = { requests: [quietRequest], perSecond: capacity / 4, connections: 100 }
      const alone = await sendStream(url, seconds, quiet)
      const [beside, greedy] = await sendLoad({
        url,
        seconds,
        streams: [
          { name: 'quiet', ...quiet },
          { name: 'greedy', requests: [greedyRequest], perSecond: 20 * (capacity / 2), connections: 400 },
        ],
      })
      if (beside === undefined || greedy === undefined) throw new Error('a report is missing')
      proof.say(`alone: ${describeOutcome(alone.accepted)}; beside: ${describeOutcome(beside.accepted)}`)
      proof.say(`greedy: served ${describeOutcome(greedy.accepted)}, refused ${greedy.refused.count}`)

      const times = beside.accepted.p95 / alone.accepted.p95
      const [moreMilliseconds, refusedShare] = proof.short ? [300, 0.2] : [0, 0.01]
      expect(
        beside.accepted.p95 <= 2 * alone.accepted.p95 + moreMilliseconds,
        `the p95 of the other is ${times.toFixed(1)} times what it is alone`,
      )
      expect(
        beside.refused.count <= refusedShare * beside.accepted.count,
        `${beside.refused.count} requests of the other were refused`,
      )
      expect(greedy.refused.count > greedy.accepted.count, 'the greedy one was hardly refused')
      return `p95 of the other ${times.toFixed(1)} times what it is alone, ${beside.refused.count} of its requests refused`
    }),
  )
}
