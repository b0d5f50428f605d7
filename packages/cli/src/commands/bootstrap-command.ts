import type { Command } from 'commander'
import { subjectIn } from '../access/read-names.ts'
import { databaseVariable, refusePassword } from '../access/refuse-password.ts'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { bootstrap, keysVariable, type BootstrapOptions, type Bootstrapped } from '../bootstrap/bootstrap.ts'
import { createWords } from '../bootstrap/first-token.ts'
import { shellQuoted, readEnvFile } from '../bootstrap/service-env-file.ts'
import { globalFlags, wantsJson } from '../connection/connect.ts'
import { resolve } from 'node:path'
import { examples } from '../output/help-texts.ts'
import { jsonLine } from '../output/printed-value.ts'
import { profileNameFor, urlFromFlags } from '../settings/profile-name.ts'
import { profilesPath } from '../settings/profiles-file.ts'

interface Flags {
  readonly databaseUrl?: string
  readonly optionsFile: string
  readonly subject: string
  readonly print?: boolean
}

export function registerBootstrap(program: Command, context: CommandContext): void {
  const { output } = context
  program
    .command('bootstrap')
    .summary('prepare a new deployment: database, key, first token')
    .description(
      'Prepares a new deployment: migrates the database, makes a key for page tokens if there is none, creates the first access token, with every scope, and saves it in a profile for --url (default http://127.0.0.1:8080). Then it says what to do next. It is safe to repeat: keys, tokens and profiles that exist stay.',
    )
    .option(
      '--database-url <URL>',
      `the database of the service (default: ${databaseVariable}, or what the options file says)`,
    )
    .option(
      '--options-file <FILE>',
      'the file with the options of the service, to which the key is written',
      'octavo.env',
    )
    .option('--subject <NAME>', 'the subject of the first token', subjectIn, 'admin')
    .option('--print', 'write no files: print the key and the token, once')
    .addHelpText(
      'after',
      examples([
        ['', 'octavo bootstrap --database-url postgres://localhost/octavo'],
        ['with the options of a systemd unit', 'octavo bootstrap --options-file /etc/octavo/octavo.env'],
        ['in a container, which keeps no files', 'octavo bootstrap --print'],
      ]),
    )
    .action(async (flags: Flags, command: Command) => {
      const options = await optionsOf(flags, command, context)
      const done = await bootstrap(options, context)
      if (wantsJson(command)) return output.write(jsonLine(asJson(done, options)))
      const report = reportText(done, options, context)
      if (!options.print) return output.write(report)
      // Only the secrets are on standard output, so that they can be kept with `>`.
      output.note(report)
      return output.write([...done.secrets].map(([name, value]) => `${name}=${value}\n`).join(''))
    })
}

async function optionsOf(flags: Flags, command: Command, context: CommandContext): Promise<BootstrapOptions> {
  const { environment, currentFolder } = context
  await refusePassword(flags.databaseUrl)
  const inFile = readEnvFile(resolve(currentFolder, flags.optionsFile))
  const databaseUrl = flags.databaseUrl ?? (environment[databaseVariable] || inFile.get(databaseVariable))
  if (databaseUrl === undefined) {
    throw wrongUse(
      `Which database? Set ${databaseVariable}, for example to postgres://octavo:PASSWORD@127.0.0.1:5432/octavo, or give --database-url without a password.`,
    )
  }
  if (!/^postgres(ql)?:/.test(databaseUrl)) {
    throw wrongUse(
      `The URL of the database must be of the form postgres://USER@HOST/DATABASE: correct --database-url or ${databaseVariable}.`,
    )
  }
  const global = globalFlags(command)
  const port = environment['OCTAVO_PORT'] || inFile.get('OCTAVO_PORT') || '8080'
  const url = urlFromFlags(global, environment) ?? `http://127.0.0.1:${port}`
  const { optionsFile: envFile, subject, print = false } = flags
  const profile = print ? '' : profileNameFor(url, global, context)
  return { databaseUrl, url, profile, subject, envFile, print }
}

const asJson = ({ migrations, key, token, secrets }: Bootstrapped, { url, profile }: BootstrapOptions) => ({
  migrations,
  key,
  ...(token.kind === 'made' && { accessTokenId: token.token.accessTokenId }),
  url,
  ...(profile !== '' && { profile }),
  ...Object.fromEntries(secrets),
})

function reportText(done: Bootstrapped, options: BootstrapOptions, context: CommandContext): string {
  const { migrations, key, token } = done
  const { envFile, print, profile, url } = options
  const keyText = {
    made: print
      ? `made one: it is printed below. Every instance of the service needs the same ${keysVariable}.`
      : `made one in ${envFile}, which only you can read. Every instance of the service needs the same.`,
    'in the environment': `${keysVariable} is set already.`,
    'in the file': `${envFile} has one already.`,
  }[key]
  const tokenText =
    token.kind === 'made'
      ? `made one for ${token.token.subject}, with every scope (${token.token.accessTokenId}).${print ? ' It is printed below, once.' : ''}`
      : `not made, because there are administrators already: ${token.administrators.join(', ')}.`
  const profileText = done.hasProfile
    ? `${profile}, for ${url}, in ${profilesPath(context)}${token.kind === 'made' ? '' : ', is there already'}.`
    : `none: the token is not known here. Save it with octavo login, or make another:\n            ${createWords('admin')} ${databaseFlag(options, context)}`.trimEnd()
  const rows = [
    [
      'database',
      migrations.length === 0 ? 'is up to date already.' : `migrated (${migrations.length} steps).`,
    ],
    ['key', keyText],
    ['token', tokenText],
    ...(print ? [] : [['profile', profileText]]),
  ]
  return `${rows.map(([what = '', text]) => `${what.padEnd(10)}${text}\n`).join('')}\n${nextText(done, options, context)}`
}

/** Each line can be pasted as it is. */
function nextText(
  { key, hasProfile, isDefaultProfile }: Bootstrapped,
  options: BootstrapOptions,
  context: CommandContext,
): string {
  const { envFile, print, profile } = options
  if (print) return 'Next: start the service with octavo serve, then save the token with octavo login.\n'
  const source = envFile.includes('/') ? envFile : `./${envFile}`
  const serve =
    key === 'in the environment'
      ? `octavo serve ${databaseFlag(options, context)}`.trimEnd()
      : `set -a; . ${shellQuoted(source)}; set +a; octavo serve`
  const named = isDefaultProfile ? '' : ` --profile ${profile}`
  const then = hasProfile
    ? `  octavo status${named}\n  octavo doctor${named}\n  octavo apply --help\n`
    : '  octavo login\n'
  return `Next, start the service:\n  ${serve}\nThen, in another shell:\n${then}`
}

/** The flag, where the environment does not name the database. */
const databaseFlag = ({ databaseUrl }: BootstrapOptions, { environment }: CommandContext): string =>
  environment[databaseVariable] ? '' : `--database-url ${shellQuoted(databaseUrl)}`
