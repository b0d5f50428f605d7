// `serve` and `migrate` as functions of their arguments and their environment: for main.ts, and for the octavo command.
import cluster from 'node:cluster'
import process from 'node:process'
import { buildService, migrateDatabase, type Service } from './build-service.ts'
import { helpText } from './config/help-text.ts'
import {
  migrateOptions,
  serveOptions,
  type OptionTable,
  type ServeOptions,
  type ValuesOf,
} from './config/options.ts'
import { readOptions, type Environment } from './config/read-options.ts'
import { openLog } from './observe/log-observations.ts'
import { stopService } from './stop-service.ts'
import { linkToMain, type StopSignal } from './workers/link-to-main.ts'
import { runWorkers } from './run-workers.ts'

const exitCode = { done: 0, failed: 1, refused: 2 } as const

/** Serves until a signal ends it; returns the exit code of the process. */
export async function runService(argv: readonly string[], environment: Environment): Promise<number> {
  return withOptions(serveOptions, argv, environment, async (options) =>
    options.workers > 1 && cluster.isPrimary
      ? serveWithWorkers(options, environment)
      : serve(options, environment),
  )
}

async function serve(options: ServeOptions, environment: Environment): Promise<number> {
  const observe = openLog(options, environment)
  const link = linkToMain(options.workers)
  let service: Service
  try {
    service = buildService(options, observe, link)
  } catch (error) {
    // For options that can be refused only when they are used, such as a certificate that does not fit its key.
    return failed('The service cannot start with these options: correct them and start it again', error)
  }
  const stopped = new Promise<boolean>((resolve) => {
    const stop = onlyOnce((because: StopSignal) => resolve(stopService(service, options, because, observe)))
    onSignals(stop, link === undefined ? ['SIGTERM', 'SIGINT'] : ['SIGTERM'])
    link?.onStop(stop)
    // Ctrl-C reaches every process of a terminal. Workers ignore it, as the main process says when they stop.
    if (link !== undefined) process.on('SIGINT', () => {})
  })
  try {
    await service.listen()
  } catch (error) {
    return cannotListen(options, error)
  }
  return (await stopped) ? exitCode.done : exitCode.failed
}

async function serveWithWorkers(options: ServeOptions, environment: Environment): Promise<number> {
  const observe = openLog(options, environment)
  try {
    const running = await runWorkers(options, observe)
    onSignals(onlyOnce(running.stop), ['SIGTERM', 'SIGINT'])
    const end = await running.ended
    if (end.kind === 'cannot-start') {
      process.stderr.write('No worker can start: fix the problem above, then start the service again.\n')
    }
    return end.kind === 'stopped' ? exitCode.done : exitCode.failed
  } catch (error) {
    return cannotListen(options, error)
  }
}

/** Migrates the database; returns the exit code of the process. */
export async function runMigrate(argv: readonly string[], environment: Environment): Promise<number> {
  return withOptions(migrateOptions, argv, environment, async (options) => {
    try {
      await migrateDatabase(options.databaseUrl, openLog(options, environment))
      return exitCode.done
    } catch (error) {
      return failed('The database was not migrated: fix the cause and run migrate again', error)
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

const cannotListen = ({ host, port }: ServeOptions, error: unknown): number =>
  failed(`Cannot listen on ${host} port ${port}: choose another host or port`, error)

type Stop = (signal: StopSignal) => void

function onSignals(stop: Stop, signals: readonly StopSignal[]): void {
  let asked = false
  for (const signal of signals) {
    process.on(signal, (_: unknown, number: number) => {
      // A second signal means that the user does not want to wait. Workers end with the process that started them.
      if (asked) process.exit(128 + number)
      asked = true
      stop(signal)
    })
  }
}

/** A worker may receive the signal to stop twice: by the supervisor of all processes, and by the main process. */
function onlyOnce(stop: Stop): Stop {
  let done = false
  return (signal) => {
    if (!done) stop(signal)
    done = true
  }
}
