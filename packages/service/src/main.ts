// Starts the service, migrates its database, or manages who may read what. The only file that reads the process's arguments and environment.

import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildService, migrateDatabase, type Service } from './build-service.ts'
import { helpText } from './config/help-text.ts'
import { migrateOptions, serveOptions, type OptionTable, type ValuesOf } from './config/options.ts'
import { readOptions } from './config/read-options.ts'
import { CommandRefused, readAccessCommand } from './manage/access-commands.ts'
import { runAccessCommand } from './manage/run-access-command.ts'
import { logObservations } from './observe/log-observations.ts'
import type { Observe } from './observe/observation.ts'

const exitCode = { failed: 1, refused: 2 } as const

const main = async (argv: readonly string[]): Promise<void> => {
  if (argv[0] === 'migrate') {
    const options = optionsOrExit(migrateOptions, argv.slice(1))
    const observe = logObservations(options.logLevel)
    await migrateDatabase(options.databaseUrl, observe).catch(exitSaying('The database was not migrated'))
    return
  }
  if (argv[0] === 'token' || argv[0] === 'grant') {
    await manageAccess(argv)
    return
  }
  const options = optionsOrExit(serveOptions, argv)
  const observe = logObservations(options.logLevel)
  const service = builtOrExit(() => buildService(options, observe))
  stopOnSignal(service, options.stopGraceSeconds, observe)
  await service
    .listen()
    .catch(exitSaying(`Cannot listen on ${options.host} port ${options.port}: set another host or port`))
}

/** The database comes from the environment: the rest of the command line is about tokens and grants. */
const manageAccess = async (words: readonly string[]): Promise<void> => {
  try {
    const command = readAccessCommand(words)
    const { databaseUrl } = optionsOrExit({ databaseUrl: serveOptions.databaseUrl }, [])
    process.stdout.write(`${await runAccessCommand(command, databaseUrl)}\n`)
  } catch (error) {
    if (!(error instanceof CommandRefused)) {
      exitSaying('The database did not do it: check that it runs and is migrated')(error)
      return
    }
    process.stderr.write(`${error.message}\n`)
    process.exit(exitCode.refused)
  }
}

const optionsOrExit = <Table extends OptionTable>(table: Table, argv: readonly string[]): ValuesOf<Table> => {
  const read = readOptions(table, argv, process.env)
  switch (read.kind) {
    case 'read':
      return read.options
    case 'help-asked':
      process.stdout.write(helpText())
      return process.exit(0)
    case 'refused':
      process.stderr.write(`${read.problems.join('\n')}\n`)
      return process.exit(exitCode.refused)
    default:
      return read satisfies never
  }
}

/** What can only be refused once it is tried, such as a certificate that does not fit its key. */
const builtOrExit = (build: () => Service): Service => {
  try {
    return build()
  } catch (error) {
    return exitSaying('The service cannot start with these options')(error)
  }
}

const exitSaying =
  (sentence: string) =>
  (error: unknown): never => {
    const cause = error instanceof Error ? error.message || error.name : String(error)
    process.stderr.write(`${sentence} (${cause}).\n`)
    return process.exit(exitCode.failed)
  }

const stopOnSignal = (service: Service, graceSeconds: number, observe: Observe): void => {
  let stopping = false
  const stop = (signal: NodeJS.Signals, number: number): void => {
    // Whoever asks twice does not want to wait.
    if (stopping) process.exit(128 + number)
    stopping = true
    observe({ kind: 'service-stopping', because: signal, graceSeconds })
    void Promise.race([
      service.close().then(() => 0),
      sleep(graceSeconds * 1_000).then(() => {
        observe({ kind: 'stop-grace-exceeded', graceSeconds })
        return exitCode.failed
      }),
    ]).then((code) => process.exit(code))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

await main(process.argv.slice(2))
