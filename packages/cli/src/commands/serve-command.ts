// Only the commands that need the service load it: loading it takes longer than everything else.
import {
  environmentVariableOf,
  flagOf,
  migrateOptions,
  serveOptions,
  type Option,
  type OptionTable,
} from '@octavo/service/options'
import type { Command } from 'commander'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { examples } from '../output/help-texts.ts'
import { forService } from '../settings/for-service.ts'

export function registerServe(program: Command, { environment }: CommandContext): void {
  const serve = program
    .command('serve')
    .summary('run the service on a PostgreSQL database')
    .description(
      'Runs the service until Ctrl-C or SIGTERM. Its log goes to standard output: for people on a terminal, as JSON lines elsewhere.',
    )
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: false })
    .addHelpText(
      'after',
      `
Each option can also be set in the environment: --port is OCTAVO_PORT there.
${environmentVariableOf(serveOptions.pageTokenKeys)} is required and has no flag, because it is a secret.
${examples([
  ['the database must be migrated first', 'octavo migrate --database-url postgres://localhost/octavo'],
  [
    'a key for page tokens: keep it, because every instance needs the same one',
    'key=$(openssl rand -base64 32 | tr +/ -_ | tr -d =)',
  ],
  ['', 'export OCTAVO_PAGE_TOKEN_KEYS=k1:$key'],
  ['', 'octavo serve --database-url postgres://localhost/octavo --port 8080'],
])}`,
    )
  takingOptions(serve, serveOptions).action(async (given: Given) => {
    const { runService } = await import('@octavo/service')
    await endingWith(runService(wordsOf(serveOptions, given), forService(environment)))
  })
}

export function registerMigrate(program: Command, { environment }: CommandContext): void {
  const migrate = program
    .command('migrate')
    .summary('bring the database up to date')
    .description(
      'Brings the database up to date, then exits. It is safe to repeat, also while the service runs.',
    )
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: false })
    .addHelpText('after', examples([['', 'octavo migrate --database-url postgres://localhost/octavo']]))
  takingOptions(migrate, migrateOptions).action(async (given: Given) => {
    const { runMigrate } = await import('@octavo/service')
    await endingWith(runMigrate(wordsOf(migrateOptions, given), forService(environment)))
  })
}

type Given = Readonly<Record<string, string | undefined>>

/** The options as the service declares them; the service also checks their values. */
function takingOptions(command: Command, table: OptionTable): Command {
  for (const option of Object.values(table)) {
    if (option.secret) continue
    command.option(`${flagOf(option)} <value>`, `${option.sentence}${defaultOf(option)}`)
  }
  return command
}

const defaultOf = ({ default: value }: Option<unknown>): string => {
  if (value === undefined) return ' Required.'
  return value === '' ? '' : ` Default: ${value}`
}

const wordsOf = (table: OptionTable, given: Given): readonly string[] =>
  Object.entries(table).flatMap(([key, option]) => {
    const value = given[key]
    return value === undefined ? [] : [`${flagOf(option)}=${value}`]
  })

/** The service has already printed what was wrong. */
async function endingWith(running: Promise<number>): Promise<void> {
  const code = await running
  if (code === exitCodes.done) return
  throw new CliError('', code === exitCodes.wrongUse ? exitCodes.wrongUse : exitCodes.failed)
}
