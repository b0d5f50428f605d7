import { expect } from '../../harness/prove.ts'
import { octavo } from '../contestants/octavo.ts'
import { describeKind, type PageKind } from '../contestants/page-kind.ts'
import { openLoop } from '../../harness/open-loop.ts'
import { quantile } from '../../harness/statistics.ts'
import type { Rate } from '../rates/measure-rates.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import type { SpeedRun } from '../run.ts'

export interface Latency {
  readonly kind: PageKind
  /** A share of what the service could do when as many connections sent requests as fast as they could. */
  readonly share: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
}

const connections = 64
const kinds: readonly PageKind[] = [1_000, 100].flatMap((pageSize) =>
  (['latest', 'snapshot'] as const).map((mode) => ({ pageSize, mode, revision: '2.0' }) as const),
)

export async function proveLatency(
  { proof, data, options }: SpeedRun,
  service: ServerProcess,
  rates: readonly Rate[],
): Promise<readonly Latency[]> {
  const latencies: Latency[] = []
  await proof.point('At fixed rates below its capacity the service answers every request', async () => {
    for (const kind of kinds) {
      const capacity = capacityFor(rates, kind)
      for (const share of [0.25, 0.5, 0.75]) {
        const requests = await octavo(data, [service], kind).requests()
        const perSecond = capacity * share
        // Long enough that a thousandth is more than one request.
        const seconds = 5 * options.seconds
        const measured = await openLoop({ url: service.url, requests, perSecond, seconds, connections })
        const [p50, p99, p999] = [0.5, 0.99, 0.999].map((each) => quantile(measured, each))
        const latency = { kind, share, perSecond, p50: p50 ?? 0, p99: p99 ?? 0, p999: p999 ?? 0 }
        latencies.push(latency)
        proof.say(
          `${describeKind(kind)}, ${share * 100} % (${perSecond.toFixed(0)} pages a second): p50 ${latency.p50.toFixed(1)} ms, p99 ${latency.p99.toFixed(1)} ms, p99.9 ${latency.p999.toFixed(1)} ms`,
        )
      }
    }
    return `${latencies.length} rates`
  })
  return latencies
}

/** The best over all numbers of connections: requests from outside do not wait for their turn. */
function capacityFor(rates: readonly Rate[], wanted: PageKind): number {
  const measured = rates.filter(
    ({ name, kind }) =>
      name === 'Octavo' &&
      kind.pageSize === wanted.pageSize &&
      kind.mode === wanted.mode &&
      kind.revision === wanted.revision,
  )
  const capacity = Math.max(0, ...measured.map(({ pagesPerSecond }) => pagesPerSecond))
  expect(capacity > 0, `The rate of ${describeKind(wanted)} was not measured.`)
  return capacity
}
