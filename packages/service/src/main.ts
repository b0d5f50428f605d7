// Starts the service, or migrates its database. The only file that reads the process's arguments and environment.

import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildService, migrateDatabase, type Service } from './build-service.ts'
import { helpText } from './config/help-text.ts'
import { migrateOptions, serveOptions, type OptionTable, type ValuesOf } from './config/options.ts'
import { readOptions } from './config/read-options.ts'
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
  const options = optionsOrExit(serveOptions, argv)
  const observe = logObservations(options.logLevel)
  const service = buildService(options, observe)
  stopOnSignal(service, options.stopGraceSeconds, observe)
  await service
    .listen()
    .catch(exitSaying(`Cannot listen on ${options.host} port ${options.port}: set another host or port`))
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

const exitSaying = (sentence: string) => (error: unknown) => {
  const cause = error instanceof Error ? error.message || error.name : String(error)
  process.stderr.write(`${sentence} (${cause}).\n`)
  process.exit(exitCode.failed)
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
