// A service, a cluster if it can be had, and a Prometheus that scrapes them and knows the alerts.
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCitus } from '@octavo/dev-database'
import { withTemporaryFolder } from '../harness/end-with-us.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { causedByCallers } from './caused-by-callers.ts'
import { causedByTheDatabase } from './caused-by-the-database.ts'
import type { Condition } from './condition.ts'
import { startPrometheus, type Prometheus } from './prometheus.ts'
import { alertNames, quickRules } from './quick-rules.ts'
import { startWatchedCluster, type WatchedCluster } from './watched-cluster.ts'
import { startWatchedService, type WatchedService } from './watched-service.ts'

export interface Watched {
  readonly service: WatchedService
  readonly cluster: WatchedCluster | undefined
  readonly prometheus: Prometheus
}

const firesWithinSeconds = 180
const alertsOfClusters: ReadonlySet<string> = new Set(['OctavoNodeUnreachable'])

export const withWatched = (work: (watched: Watched) => Promise<void>, { say }: Proof): Promise<void> =>
  withTemporaryFolder(async (folder) => {
    const service = await startWatchedService(folder)
    const cluster = (await hasCitus()) ? await startWatchedCluster() : undefined
    if (cluster === undefined) say('left out: alerts of a cluster, because Citus is not installed')
    const prometheus = await startPrometheus({
      folder,
      rules: quickRules(),
      targets: [...service.metricsTargets, ...(cluster === undefined ? [] : [cluster.metricsTarget])],
    })
    try {
      await work({ service, cluster, prometheus })
    } finally {
      await prometheus.stop()
      await service.stop()
      await cluster?.stop()
    }
  })

/** By who causes them. */
const conditionsOf = ({ service, cluster }: Watched) => ({
  callers: causedByCallers(service),
  cluster: cluster?.conditions ?? [],
  database: causedByTheDatabase(service),
  killed: [{ says: 'an instance is killed', alerts: ['OctavoDown'], cause: service.instance.kill }],
})

export const proveNoneFires = (proof: Proof, watched: Watched): Promise<void> =>
  proof.point('No alert fires while all is well, and there is a condition for every alert', async () => {
    const caused = new Set(
      Object.values(conditionsOf(watched)).flatMap((some) => some.flatMap(({ alerts }) => alerts)),
    )
    const untried = alertNames.filter(
      (name) => !caused.has(name) && !(watched.cluster === undefined && alertsOfClusters.has(name)),
    )
    expect(untried.length === 0, `nothing causes ${untried.join(', ')}`)
    for (let i = 0; i < 100; i += 1) {
      await watched.service.ask()
      await sleep(100)
    }
    const firing = await watched.prometheus.firing()
    expect(firing.size === 0, `${[...firing].join(', ')} fires`)
    return `${alertNames.length} alerts, none fires`
  })

/** Each alert fires when its condition is caused. */
export const proveFires =
  (causedBy: keyof ReturnType<typeof conditionsOf>) =>
  async (proof: Proof, watched: Watched): Promise<void> => {
    for (const condition of conditionsOf(watched)[causedBy]) {
      await proof.point(`${condition.alerts.join(', ')}: ${condition.says}`, () =>
        causeAlerts(watched, condition),
      )
    }
  }

async function causeAlerts({ prometheus }: Watched, { alerts, cause, undo }: Condition): Promise<string> {
  const firingNow = async () => {
    const firing = await prometheus.firing()
    return alerts.filter((name) => firing.has(name))
  }
  // An earlier condition may have triggered it too.
  for (let tries = 0; tries < 60 && (await firingNow()).length > 0; tries += 1) await sleep(1_000)
  const before = await firingNow()
  expect(before.length === 0, `${before.join(', ')} fires all the time`)
  const from = performance.now()
  try {
    for (let times = 0; ; times += 1) {
      await cause(times)
      const firing = await firingNow()
      const seconds = (performance.now() - from) / 1_000
      if (firing.length === alerts.length) return `fires after ${seconds.toFixed(0)} s`
      expect(
        seconds < firesWithinSeconds,
        `only ${firing.length} of ${alerts.length} fire after ${firesWithinSeconds} s`,
      )
      await sleep(300)
    }
  } finally {
    await undo?.()
  }
}
