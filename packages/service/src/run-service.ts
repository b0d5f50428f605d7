// `serve` and `migrate` as functions of their words and their environment: for main.ts, and for the octavo command.
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildService, migrateDatabase, type Service } from './build-service.ts'
import { helpText } from './config/help-text.ts'
import { migrateOptions, serveOptions, type OptionTable, type ValuesOf } from './config/options.ts'
import { readOptions, type Environment } from './config/read-options.ts'
import { logObservations } from './observe/log-observations.ts'
import type { Observe } from './observe/observation.ts'

const exitCode = { done: 0, failed: 1, refused: 2 } as const

/** Serves until a signal ends it; gives the exit code of the process. */
export async function runService(argv: readonly string[], environment: Environment): Promise<number> {
  return withOptions(serveOptions, argv, environment, async (options) => {
    const observe = logObservations(options.logLevel)
    let service: Service
    try {
      service = buildService(options, observe)
    } catch (error) {
      // What can only be refused once it is tried, such as a certificate that does not fit its key.
      return failed('The service cannot start with these options', error)
    }
    const stopped = stoppedBySignal(service, options.stopGraceSeconds, observe)
    try {
      await service.listen()
    } catch (error) {
      return failed(`Cannot listen on ${options.host} port ${options.port}: set another host or port`, error)
    }
    return stopped
  })
}

/** Brings the database up to date; gives the exit code of the process. */
export async function runMigrate(argv: readonly string[], environment: Environment): Promise<number> {
  return withOptions(migrateOptions, argv, environment, async (options) => {
    try {
      await migrateDatabase(options.databaseUrl, logObservations(options.logLevel))
      return exitCode.done
    } catch (error) {
      return failed('The database was not migrated', error)
    }
  })
}

async function withOptions<Table extends OptionTable>(
  table: Table,
  argv: readonly string[],
  environment: Environment,
  run: (options: ValuesOf<Table>) => Promise<number>,
): Promise<number> {
  const read = readOptions(table, argv, environment)
  switch (read.kind) {
    case 'read':
      return run(read.options)
    case 'help-asked':
      process.stdout.write(helpText())
      return exitCode.done
    case 'refused':
      process.stderr.write(`${read.problems.join('\n')}\n`)
      return exitCode.refused
    default:
      return read satisfies never
  }
}

function failed(sentence: string, error: unknown): number {
  const cause = error instanceof Error ? error.message || error.name : String(error)
  process.stderr.write(`${sentence} (${cause}).\n`)
  return exitCode.failed
}

const stoppedBySignal = (service: Service, graceSeconds: number, observe: Observe): Promise<number> =>
  new Promise((resolve) => {
    let stopping = false
    const stop = (signal: NodeJS.Signals, number: number): void => {
      // Whoever asks twice does not want to wait.
      if (stopping) process.exit(128 + number)
      stopping = true
      observe({ kind: 'service-stopping', because: signal, graceSeconds })
      const closed = service.close().then(() => exitCode.done)
      const graceOver = sleep(graceSeconds * 1_000).then(() => {
        observe({ kind: 'stop-grace-exceeded', graceSeconds })
        return exitCode.failed
      })
      resolve(Promise.race([closed, graceOver]))
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
