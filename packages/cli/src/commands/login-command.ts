import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { expiryIn, readRights, rightsText } from '../access/token-rights.ts'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { globalFlags, wantsJson } from '../connection/connect.ts'
import { openConnection } from '../connection/connection.ts'
import { visibleOntologies } from '../connection/find-ontology.ts'
import { readHealth, reasonsText } from '../connection/read-health.ts'
import { examples } from '../output/help-texts.ts'
import { jsonLine } from '../output/printed-value.ts'
import { profileNameFor, urlFromFlags } from '../settings/profile-name.ts'
import { profilesPath, readProfiles } from '../settings/profiles-file.ts'
import { serviceToken, serviceUrl, type GlobalFlags } from '../settings/read-settings.ts'
import { settings } from '../settings/setting.ts'
import { saveProfile } from '../settings/write-profiles.ts'
import { typedLine } from '../terminal/typed-line.ts'

export function registerLogin(program: Command, context: CommandContext): void {
  program
    .command('login')
    .summary('check a token and save it in a profile')
    .description(
      'Asks for the URL of a service and a token, tries them, says what the token may do, and saves both in a profile that only you can read. Where there is no terminal, the token is read from OCTAVO_TOKEN or standard input. The profile has the name that --profile gives, or else that of the host.',
    )
    .addHelpText(
      'after',
      examples([
        ['asks for both', 'octavo login'],
        ['in a script', 'octavo login --url https://octavo.example.com < token.txt'],
        ['under another name', 'octavo login --url https://octavo.example.com --profile production'],
      ]),
    )
    .action((_options: object, command: Command) => login(command, context))
}

async function login(command: Command, context: CommandContext): Promise<void> {
  const { output } = context
  const flags = globalFlags(command)
  const url = await askedUrl(flags, context)
  const name = profileNameFor(url, flags, context)
  const health = await readHealth(url, context)
  if (health.status === 'unready') throw new CliError(`${url} is not ready: ${reasonsText(health)}`)
  const token = await askedToken(flags, context)
  const connection = openConnection({ url, token }, context)
  const rights = await readRights(connection)
  const ontologies = rights.includes('read') ? await visibleOntologies(connection) : undefined
  const isDefault = saveProfile(context, name, { url, token })
  const expires = expiryIn(token)
  if (wantsJson(command)) {
    const expiresAt = expires?.toISOString()
    return output.write(jsonLine({ profile: name, default: isDefault, url, rights, ontologies, expiresAt }))
  }
  const seen = ontologies?.map(({ apiName, role }) => `${apiName} (${role})`).join(', ')
  const lines = [
    `${url} is Octavo ${health.serviceVersion ?? 'of an unknown version'} and accepts the token.`,
    `The token may ${rightsText(rights)}.${expires === undefined ? '' : ` It expires at ${expires.toISOString()}.`}`,
    seen === undefined
      ? undefined
      : seen === ''
        ? 'It has no grant on any ontology yet.'
        : `It sees ${seen}.`,
    `Saved as the profile ${name} in ${profilesPath(context)}.`,
    isDefault
      ? undefined
      : `The default profile is still ${readProfiles(context).default ?? 'none'}. To use this one: --profile ${name}, or for every command: octavo profile use ${name}`,
  ]
  return output.write(lines.flatMap((line) => (line === undefined ? [] : [`${line}\n`])).join(''))
}

async function askedUrl(flags: GlobalFlags, context: CommandContext): Promise<string> {
  const given = urlFromFlags(flags, context.environment)
  if (given !== undefined) return given
  const { default: chosen, byName } = readProfiles(context)
  const known = byName.get(flags.profile ?? chosen ?? '')?.url ?? 'http://127.0.0.1:8080'
  if (!context.input.isTerminal) {
    throw wrongUse(`The url is missing: give ${settings.url.flag} URL or set ${settings.url.variable}.`)
  }
  return serviceUrl((await typedLine(context, { text: `URL of the service [${known}]: ` })) || known)
}

async function askedToken(flags: GlobalFlags, context: CommandContext): Promise<string> {
  const given = flags.token ?? (context.environment[settings.token.variable] || undefined)
  const { stream, isTerminal } = context.input
  const token =
    given ??
    (isTerminal
      ? await typedLine(context, { text: 'Token (is not shown): ', hidden: true })
      : (await readAll(stream)).trim())
  if (token !== '') return serviceToken(token)
  throw wrongUse(
    `The token is missing: type it, set ${settings.token.variable}, or send it to standard input.`,
  )
}
