// HAProxy with a configuration file of deploy/, as a user starts it: machine-specific values are in the environment.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endWithUs, killGroup } from './end-with-us.ts'

export interface Haproxy {
  readonly stop: () => Promise<void>
}

export async function startHaproxy(
  configuration: 'haproxy-octavo.cfg' | 'haproxy-postgres.cfg',
  port: number,
  environment: Readonly<Record<string, string>>,
): Promise<Haproxy> {
  const file = fileURLToPath(import.meta.resolve(`../../deploy/high-availability/${configuration}`))
  const child = spawn('haproxy', ['-db', '-q', '-f', file], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  endWithUs(child)
  // A program that does not exist has no process id.
  child.once('error', () => {})
  const ended = once(child, 'exit').catch(() => undefined)
  for (let tries = 0; tries < 200 && child.exitCode === null && child.pid !== undefined; tries += 1) {
    if (await accepts(port)) {
      return {
        stop: async () => {
          killGroup(child, 'SIGTERM')
          await ended
        },
      }
    }
    await sleep(50)
  }
  killGroup(child, 'SIGKILL')
  throw new Error(
    child.pid === undefined
      ? 'HAProxy was not found: install the package haproxy.'
      : `HAProxy did not start with ${configuration}.`,
  )
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(socket.destroy() !== undefined)).once('error', () => resolve(false))
  })
