// The service as users run it: a process with a log, on a port that it chooses.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { builtProgram } from '../../../octavo/bundle/built-program.ts'
import { testKey } from './start-test-service.ts'

export type LogLine = Readonly<Record<string, unknown>> & { readonly kind: string; readonly pid: number }

export interface ServiceProcessOptions {
  readonly databaseUrl: string
  readonly flags?: readonly string[]
  /** In its own process group, as a shell starts programs. */
  readonly detached?: boolean
}

/** Does not wait until the service is ready: for starts that fail earlier. */
export function spawnService({ databaseUrl, flags = [], detached = false }: ServiceProcessOptions) {
  const child = spawn(process.execPath, [builtProgram('service'), ...flags], {
    env: { OCTAVO_PORT: '0', OCTAVO_DATABASE_URL: databaseUrl, OCTAVO_PAGE_TOKEN_KEYS: testKey('a', 1) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  })
  const log: LogLine[] = []
  createInterface({ input: child.stdout }).on('line', (line) => log.push(JSON.parse(line)))
  return {
    child,
    log: log as readonly LogLine[],
    errors: text(child.stderr),
    exitCode: once(child, 'exit').then(([code]: unknown[]) => code),
  }
}

export async function startServiceProcess(options: ServiceProcessOptions) {
  const { child, log, exitCode, errors } = spawnService(options)
  /** The log lines of a kind, once there are this many. */
  const logged = async (kind: string, count = 1): Promise<readonly LogLine[]> => {
    const lines = () => log.filter((line) => line.kind === kind)
    await expect.poll(lines).toHaveProperty('length', count)
    return lines()
  }
  await expect.poll(() => log.some(({ kind }) => kind === 'service-listening')).toBe(true)
  const address = String(log.find(({ kind }) => kind === 'service-listening')?.['address'])
  return { child, log, address, logged, exitCode, errors }
}
