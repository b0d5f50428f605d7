import { once } from 'node:events'
import type { Command } from 'commander'
import { refusePassword } from '../access/refuse-password.ts'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { openConnection } from '../connection/connection.ts'
import { makeExample } from '../local/make-example.ts'
import { makeLocalToken } from '../local/local-token.ts'
import { onceParentIsGone } from '../local/once-parent-is-gone.ts'
import { startLocalService } from '../local/start-local-service.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'

interface DevOptions {
  readonly port: number
  readonly databaseUrl?: string
}

export function registerDev(program: Command, context: CommandContext): void {
  program
    .command('dev')
    .summary('run a throwaway service with a small example')
    .description(
      'Runs the service on a throwaway PostgreSQL with a small example ontology, and prints a token. Ctrl-C stops it and removes everything. PostgreSQL 15 or newer must be installed; it need not be running.',
    )
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: false })
    .option('--port <NUMBER>', 'the port to listen on', wholeNumber(1, 65_535), 8080)
    .option(
      '--database-url <URL>',
      'use this database instead of a throwaway one; it is migrated and not removed',
    )
    .addHelpText('after', examples([['', 'octavo dev --port 8080']]))
    .action((options: DevOptions) => runDev(options, context))
}

async function runDev({ port, databaseUrl }: DevOptions, context: CommandContext): Promise<void> {
  const { output, stopAsked } = context
  await refusePassword(databaseUrl, 'leave it out and set PGPASSWORD')
  const parentGone = new AbortController()
  onceParentIsGone(() => parentGone.abort())
  const service = await startLocalService({ port, databaseUrl }).catch((error: unknown) => {
    throw new CliError(error instanceof Error ? error.message : String(error))
  })
  try {
    const token = databaseUrl === undefined ? await makeLocalToken(service.databaseUrl) : undefined
    if (token !== undefined) await makeExample(openConnection({ url: service.url, token }, context))
    await output.write(greeting(service, token))
    const stop = AbortSignal.any([stopAsked, parentGone.signal])
    if (!stop.aborted) await once(stop, 'abort')
  } finally {
    await service.stop()
  }
}

const greeting = (
  { url, databaseUrl }: { readonly url: string; readonly databaseUrl: string },
  token: string | undefined,
): string => `
  service   ${url}
  reference ${url}/docs
  database  ${token === undefined ? 'as given; it is not removed at the end' : `${databaseUrl}, removed at the end`}
${
  token === undefined
    ? `  token     create one: octavo token create --database-url ...\n`
    : `
In another shell:

  export OCTAVO_URL=${url}
  export OCTAVO_TOKEN=${token}
  octavo list employee
  octavo status
`
}
Ctrl-C stops it.
`
