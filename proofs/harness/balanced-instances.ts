// Three instances behind HAProxy, each with its own metrics port: only the instance knows what it has served.
import { scrape } from '../../packages/service/test/support/read-metrics.ts'
import { freePort } from '@octavo/dev-database'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type Proof } from './prove.ts'
import { startHaproxy } from './haproxy.ts'
import { serviceProcess, type ServiceProcess } from './service-process.ts'

/** Each instance must have served this many pages before it is stopped; otherwise nothing was tested. */
export const leastPages = 20

export interface BalancedInstance extends ServiceProcess {
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
      ...serviceProcess({ databaseUrl: databaseUrl, port, environment }),
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

/** Returns how many pages each instance had served when it was stopped. */
export async function rollingRestart(
  instances: readonly BalancedInstance[],
  say: Proof['say'],
): Promise<readonly number[]> {
  const served: number[] = []
  for (const instance of instances) {
    served.push(await pagesServedSoon(instance))
    const stoppedAt = performance.now()
    const code = await instance.stop()
    const endedAt = performance.now()
    expect(code === 0, `an instance that was to stop ended with ${code}`)
    await instance.start()
    say(`stopped in ${seconds(endedAt - stoppedAt)}, ready again in ${seconds(performance.now() - endedAt)}`)
  }
  return served
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`

/** The load balancer takes a moment to send requests to an instance that has just started. */
export async function pagesServedSoon(instance: BalancedInstance | undefined): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const pages = await instance?.pagesServed()
    if (pages !== undefined && pages >= leastPages) return pages
    await sleep(100)
  }
  return 0
}
