// A real Prometheus that scrapes every second.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from 'yaml'
import { freePort } from '@octavo/dev-database'
import { endWithUs, killGroup } from '../harness/end-with-us.ts'

export interface Prometheus {
  /** The names of the alerts that are firing now. */
  readonly firing: () => Promise<ReadonlySet<string>>
  readonly stop: () => Promise<void>
}

export interface PrometheusSettings {
  readonly folder: string
  readonly rules: string
  /** Host and port of the metrics, without a path. */
  readonly targets: readonly string[]
}

interface AlertsAnswer {
  readonly data: {
    readonly alerts: readonly { readonly state: string; readonly labels: { readonly alertname: string } }[]
  }
}

export async function startPrometheus({ folder, rules, targets }: PrometheusSettings): Promise<Prometheus> {
  const port = await freePort()
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yaml'],
    scrape_configs: [{ job_name: 'octavo', static_configs: [{ targets }] }],
  }
  await writeFile(join(folder, 'alerts.yaml'), rules)
  await writeFile(join(folder, 'prometheus.yaml'), stringify(configuration))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], detached: true },
  )
  endWithUs(child)
  child.on('error', () => {})
  const ended = once(child, 'exit').catch(() => undefined)
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 300 && child.pid !== undefined && child.exitCode === null; tries += 1) {
    const ready = await fetch(`${url}/-/ready`).catch(() => undefined)
    if (ready?.ok) {
      return {
        firing: async () => {
          const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as AlertsAnswer
          return new Set(
            data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname),
          )
        },
        stop: async () => {
          killGroup(child, 'SIGTERM')
          await ended
        },
      }
    }
    await sleep(100)
  }
  throw new Error('Prometheus did not start: is the package prometheus installed?')
}
