// Five times as many requests as can be served, over 500 connections.
import { setInterval } from 'node:timers'
import { residentMegabytes } from '../harness/cpu-time.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { capacityOf } from './capacity-of.ts'
import { describeOutcome, sendStream } from './load-order.ts'
import type { DatabaseDistance, ServedCallers } from './served-callers.ts'

const connections = 500

export async function proveOverload(
  proof: Proof,
  { requestsFor, withInstance }: ServedCallers,
  distance: DatabaseDistance,
): Promise<void> {
  const where =
    distance === 'near' ? 'on one machine with its database and its clients' : 'where the pool is the bound'
  await proof.point(
    `At five times its capacity, ${where}, an instance serves some requests quickly, refuses the rest at once and stays healthy`,
    () =>
      withInstance(distance, async (instance) => {
        const { url, pid } = instance
        const requests = requestsFor(distance === 'near' ? 1_000 : 10)
        const seconds = proof.short ? 5 : 60
        const capacity = await capacityOf(instance, requests, proof.short ? 150 : 1_500)
        const send = (share: number, forSeconds: number) =>
          sendStream(url, forSeconds, { requests, perSecond: share * capacity, connections })

        const half = await send(0.5, proof.short ? 3 : 20)
        proof.say(`${capacity.toFixed(0)} pages a second; at half of that ${describeOutcome(half.accepted)}`)
        const megabytes: number[] = []
        const watch = setInterval(() => megabytes.push(residentMegabytes(pid)), 500)
        const over = await send(5, seconds)
        clearInterval(watch)
        const after = await send(0.8, 5)
        proof.say(
          `at five times: served ${describeOutcome(over.accepted)}, refused ${describeOutcome(over.refused)}`,
        )
        const [early, most] = [Math.max(...megabytes.slice(0, megabytes.length / 3)), Math.max(...megabytes)]

        const bounds = proof.short || distance === 'near' ? loose : strict
        const times = over.accepted.p99 / half.accepted.p99
        const kept = over.accepted.count / over.seconds / capacity
        expect(
          half.refused.count <= half.accepted.count / 20,
          `at half of its capacity it refused ${half.refused.count}`,
        )
        expect(
          over.accepted.p99 <= 4 * half.accepted.p99 + bounds.moreMilliseconds,
          `the p99 of served pages is ${times.toFixed(1)} times that at half of the capacity`,
        )
        // In the short form a busy machine is its own reference: it must refuse faster than it serves.
        expect(
          over.refused.p99 <= (proof.short ? over.accepted.p99 : bounds.refusedMilliseconds),
          `refusals took ${over.refused.p99.toFixed(0)} ms (p99), pages ${over.accepted.p99.toFixed(0)} ms`,
        )
        expect(over.refused.count > over.accepted.count, 'hardly anything was refused: that was no overload')
        expect(kept >= bounds.kept, `it served only ${(kept * 100).toFixed(0)} % of its capacity`)
        expect(
          most - early < bounds.moreMegabytes,
          `it grew from ${early.toFixed(0)} to ${most.toFixed(0)} MB`,
        )
        const { accepted, refused } = after.lastSecond
        expect(refused <= accepted / 20, `five seconds later it still refused ${refused} a second`)
        return (
          `p99 of served pages ${times.toFixed(1)} times that at half of the capacity, refusals within ` +
          `${over.refused.p99.toFixed(0)} ms (p99), ${(kept * 100).toFixed(0)} % of the capacity served, ` +
          `${early.toFixed(0)} MB then at most ${most.toFixed(0)} MB, five seconds later ${refused} of ${accepted + refused} refused`
        )
      }),
  )
}

/** The bounds for a machine that does nothing else. */
const strict = { moreMilliseconds: 0, refusedMilliseconds: 100, kept: 0.8, moreMegabytes: 50 }
/** The bounds that do not depend on the machine's other work: memory must not explode, and service must not stop. */
const loose = { moreMilliseconds: 1_000, refusedMilliseconds: 1_000, kept: 0.2, moreMegabytes: 200 }
