// Two callers share an instance; one of them sends twenty times its half.
import { expect, type Proof } from '../harness/prove.ts'
import { capacityOf } from './capacity-of.ts'
import { describeOutcome, sendLoad, sendStream, type StreamReport } from './load-order.ts'
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

      const refused = `${beside.refused.count} of its requests were refused`
      if (proof.short) {
        // On a busy machine no caller is served quickly: then the two are compared with each other.
        const most = Math.max(2 * alone.accepted.p95 + 300, greedy.accepted.p95)
        expect(beside.accepted.p95 <= most, `its p95 is ${beside.accepted.p95.toFixed(0)} ms`)
        expect(shareRefused(beside) <= shareRefused(greedy) / 2, refused)
      } else {
        // A refused request counts as never answered.
        expect(beside.p95 <= 2 * alone.p95, `its p95 is more than twice what it is alone, ${refused}`)
      }
      expect(greedy.refused.count > greedy.accepted.count, 'the greedy one was hardly refused')
      const besideAlone = (beside.accepted.p95 / alone.accepted.p95).toFixed(2)
      return `p95 of the other's pages: ${besideAlone} times what it is alone; ${refused}`
    }),
  )
}

const shareRefused = ({ accepted, refused }: StreamReport): number =>
  refused.count / (accepted.count + refused.count)
