// Three instances behind HAProxy, each with its own metrics port: only the instance knows what it has served.
import { scrape } from '../../packages/service/test/support/read-metrics.ts'
import { freePort } from '@octavo/dev-database'
import { startHaproxy } from '../prove-faults/haproxy.ts'
import { mortalService, type MortalService } from '../prove-load/mortal-service.ts'

export interface BalancedInstance extends MortalService {
  readonly pagesServed: () => Promise<number>
}

export interface BalancedInstances {
  /** The URL of the load balancer. */
  readonly url: string
  readonly each: readonly BalancedInstance[]
  readonly stop: () => Promise<void>
}

export async function startBalancedInstances(
  databaseUrl: string,
  stopDelaySeconds: number,
): Promise<BalancedInstances> {
  const addresses: Record<string, string> = {}
  const each: BalancedInstance[] = []
  // One instance runs several processes.
  for (const [index, workers] of [1, 1, 2].entries()) {
    const [port, metricsPort] = [await freePort(), await freePort()]
    addresses[`OCTAVO_INSTANCE_${index + 1}`] = `127.0.0.1:${port}`
    const environment = {
      OCTAVO_WORKERS: String(workers),
      OCTAVO_STOP_DELAY_SECONDS: String(stopDelaySeconds),
      OCTAVO_METRICS_PORT: String(metricsPort),
      // On a busy machine a page may wait: being refused for that is part of another proof.
      OCTAVO_QUEUE_MILLISECONDS: '10000',
    }
    each.push({
      ...mortalService(databaseUrl, port, () => environment),
      pagesServed: async () =>
        (await scrape(`http://127.0.0.1:${metricsPort}/metrics`)).value('octavo_pages_total'),
    })
  }
  await Promise.all(each.map((instance) => instance.start()))
  const port = await freePort()
  const bind = `127.0.0.1:${port}`
  const balancer = await startHaproxy('haproxy-octavo.cfg', port, {
    OCTAVO_BALANCER_BIND: bind,
    ...addresses,
  })
  return {
    url: `http://${bind}`,
    each,
    stop: async () => {
      await balancer.stop()
      await Promise.all(each.map((instance) => instance.kill()))
    },
  }
}
