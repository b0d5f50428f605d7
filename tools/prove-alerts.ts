// `npm run prove:alerts`: every alert of deploy/prometheus fires when its condition is caused on a real service that a real
// Prometheus scrapes, and none fires while all is well.
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCitus } from '@octavo/dev-database'
import { causedByCallers } from './prove-alerts/caused-by-callers.ts'
import { causedByTheDatabase } from './prove-alerts/caused-by-the-database.ts'
import type { Condition } from './prove-alerts/condition.ts'
import { startPrometheus } from './prove-alerts/prometheus.ts'
import { alertNames, quickRules } from './prove-alerts/quick-rules.ts'
import { startWatchedCluster } from './prove-alerts/watched-cluster.ts'
import { startWatchedService } from './prove-alerts/watched-service.ts'
import { withTemporaryFolder } from './prove-workspace/end-with-us.ts'
import { expect, prove } from './prove.ts'

const firesWithinSeconds = 180
const alertsOfClusters: ReadonlySet<string> = new Set(['OctavoNodeUnreachable'])

await prove('alerts', (proof) =>
  withTemporaryFolder(async (folder) => {
    const watched = await startWatchedService(folder)
    const cluster = (await hasCitus()) ? await startWatchedCluster() : undefined
    if (cluster === undefined) proof.say('left out: alerts of a cluster, because Citus is not installed')
    const prometheus = await startPrometheus({
      folder,
      rules: quickRules(),
      targets: [...watched.metricsTargets, ...(cluster === undefined ? [] : [cluster.metricsTarget])],
    })
    const conditions: readonly Condition[] = [
      ...causedByCallers(watched),
      ...(cluster?.conditions ?? []),
      ...causedByTheDatabase(watched),
      { says: 'an instance is killed', alerts: ['OctavoDown'], cause: watched.instance.kill },
    ]
    const firingOf = async (alerts: readonly string[]) => {
      const firing = await prometheus.firing()
      return alerts.filter((name) => firing.has(name))
    }
    try {
      await proof.point(
        'No alert fires while all is well, and there is a condition for every alert',
        async () => {
          const untried = alertNames.filter(
            (name) =>
              !conditions.some(({ alerts }) => alerts.includes(name)) &&
              !(cluster === undefined && alertsOfClusters.has(name)),
          )
          expect(untried.length === 0, `nothing causes ${untried.join(', ')}`)
          for (let i = 0; i < 100; i += 1) {
            await watched.ask()
            await sleep(100)
          }
          const firing = await prometheus.firing()
          expect(firing.size === 0, `${[...firing].join(', ')} fires`)
          return `${alertNames.length} alerts, none fires`
        },
      )
      for (const { says, alerts, cause, undo } of conditions) {
        await proof.point(`${alerts.join(', ')}: ${says}`, async () => {
          // An earlier condition may have triggered it too.
          for (let tries = 0; tries < 60 && (await firingOf(alerts)).length > 0; tries += 1)
            await sleep(1_000)
          const before = await firingOf(alerts)
          expect(before.length === 0, `${before.join(', ')} fires all the time`)
          const from = performance.now()
          try {
            for (let times = 0; ; times += 1) {
              await cause(times)
              const firing = await firingOf(alerts)
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
        })
      }
    } finally {
      await prometheus.stop()
      await watched.stop()
      await cluster?.stop()
    }
  }),
)
