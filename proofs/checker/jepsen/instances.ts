// Two instances of the service at addresses that stay.
import { startService, type LogLine, type ServiceProcess } from '../../harness/service-process.ts'
import type { Findings } from './findings.ts'

export interface Instances {
  readonly urls: readonly string[]
  readonly processOf: (number: number) => ServiceProcess
  /** Ends an instance, and starts it again after a while. */
  readonly restart: (number: number, end: 'stop' | 'kill', wait: () => Promise<void>) => Promise<void>
  readonly end: () => Promise<void>
}

/** Little time for everything, so that it passes within minutes. */
const options = {
  OCTAVO_SNAPSHOT_RETENTION_SECONDS: '60',
  OCTAVO_PAGE_TOKEN_LIFETIME_SECONDS: '6',
  OCTAVO_QUEUE_MILLISECONDS: '3000',
  OCTAVO_STOP_GRACE_SECONDS: '2',
  OCTAVO_STATEMENT_TIMEOUT_SECONDS: '5',
  OCTAVO_DATABASE_POOL_SIZE: '8',
  OCTAVO_SUBSCRIPTIONS: 'true',
}

export async function startFaultyInstances(
  databaseUrl: string,
  { count, note }: Findings,
): Promise<Instances> {
  const seen = new Set<string>()
  const onLog = (line: LogLine): void => {
    if (line.level !== 'error') return
    const what = `log ${line.kind} ${line.errorName ?? ''}`
    count(what)
    if (seen.has(what)) return
    seen.add(what)
    note(what, line)
  }
  const processes = await Promise.all(
    [1, 2].map(() => startService({ databaseUrl, environment: options, onLog })),
  )
  const processOf = (number: number): ServiceProcess => {
    const found = processes[number]
    if (found === undefined) throw new RangeError(`there is no instance ${number}`)
    return found
  }
  return {
    urls: processes.map(({ url }) => url),
    processOf,
    restart: async (number, end, wait) => {
      const instance = processOf(number)
      await instance[end]()
      await wait()
      await instance.start()
    },
    end: async () => {
      await Promise.all(processes.map(({ kill }) => kill()))
    },
  }
}
