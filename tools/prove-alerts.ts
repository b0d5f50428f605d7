// `npm run prove:alerts`: every alert of deploy/prometheus fires when its condition is caused on a real service that a real
// Prometheus scrapes, and none fires while all is well.
import { setTimeout as sleep } from 'node:timers/promises'
import { causedByCallers } from './prove-alerts/caused-by-callers.ts'
import { causedByTheDatabase } from './prove-alerts/caused-by-the-database.ts'
import type { Condition } from './prove-alerts/condition.ts'
import { startPrometheus } from './prove-alerts/prometheus.ts'
import { alertNames, quickRules } from './prove-alerts/quick-rules.ts'
import { startWatchedService } from './prove-alerts/watched-service.ts'
import { withTemporaryFolder } from './prove-workspace/end-with-us.ts'
import { expect, prove } from './prove.ts'

const firesWithinSeconds = 90

await prove('alerts', (proof) =>
  withTemporaryFolder(async (folder) => {
    const watched = await startWatchedService(folder)
    const prometheus = await startPrometheus({ folder, rules: quickRules(), targets: watched.metricsTargets })
    const conditions: readonly Condition[] = [
      ...causedByCallers(watched),
      ...causedByTheDatabase(watched),
      { says: 'an instance is killed', alerts: ['OctavoDown'], cause: watched.instance.kill },
    ]
    try {
      await proof.point(
        'No alert fires while all is well, and there is a condition for every alert',
        async () => {
          const untried = alertNames.filter((name) => !conditions.some(({ alerts }) => alerts.includes(name)))
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
          const from = performance.now()
          const before = await prometheus.firing()
          expect(!alerts.some((name) => before.has(name)), `${[...before].join(', ')} fired before`)
          try {
            for (let times = 0; ; times += 1) {
              await cause(times)
              const firing = await prometheus.firing()
              const seconds = (performance.now() - from) / 1_000
              if (alerts.every((name) => firing.has(name))) return `fires after ${seconds.toFixed(0)} s`
              const silent = alerts.filter((name) => !firing.has(name))
              expect(
                seconds < firesWithinSeconds,
                `${silent.join(', ')} did not fire in ${firesWithinSeconds} s`,
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
    }
  }),
)
