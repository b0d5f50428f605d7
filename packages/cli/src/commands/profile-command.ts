import type { Command } from 'commander'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { globalFlags, wantsJson } from '../connection/connect.ts'
import { formatTable } from '../output/format-table.ts'
import { examples } from '../output/help-texts.ts'
import { jsonLine } from '../output/printed-value.ts'
import { readProfiles, type Profile } from '../settings/profiles-file.ts'
import { settings } from '../settings/setting.ts'
import { chooseProfile, removeProfile, requireProfile } from '../settings/write-profiles.ts'

export function registerProfile(program: Command, context: CommandContext): void {
  const { output } = context
  const profile = program
    .command('profile')
    .summary('list, choose and remove saved services')
    .description('Manages profiles: services and tokens that octavo login and octavo bootstrap saved.')
    .addHelpText('after', examples([['see which profiles there are', 'octavo profile list']]))

  profile
    .command('list')
    .summary('list profiles')
    .description('Lists the profiles; the default one is marked with *.')
    .addHelpText('after', examples([['', 'octavo profile list']]))
    .action((_options: object, command: Command) => {
      const { default: chosen, byName } = readProfiles(context)
      const all = [...byName].map(([name, each]) => ({ ...shown(name, each), default: name === chosen }))
      if (wantsJson(command)) return output.write(all.map(jsonLine).join(''))
      if (all.length === 0) return output.write('There are no profiles: make one with octavo login.\n')
      const columns = [{ title: '' }, { title: 'NAME' }, { title: 'URL' }, { title: 'TOKEN' }]
      const rows = all.map(({ name, url = '-', token = '-', default: isDefault }) => [
        isDefault ? '*' : ' ',
        name,
        url,
        token,
      ])
      return output.write(formatTable({ columns, rows }, { width: output.columns(), style: output.style }))
    })

  profile
    .command('use')
    .summary('choose the default profile')
    .description('Makes a profile the one that commands use if none is named.')
    .argument('<NAME>', 'the name of the profile')
    .addHelpText('after', examples([['', 'octavo profile use production']]))
    .action((name: string, _options: object, command: Command) => {
      chooseProfile(context, name)
      if (wantsJson(command)) return output.write(jsonLine({ profile: name, default: true }))
      const { variable } = settings.profile
      const other = context.environment[variable]
      const but = other && other !== name ? ` But ${variable} is set to ${other} in this shell.` : ''
      return output.write(`The default profile is now ${name}.${but}\n`)
    })

  profile
    .command('show')
    .summary('show a profile')
    .description('Shows a profile, by default the one in use. Of the token only the beginning is shown.')
    .argument('[NAME]', 'the name of the profile')
    .addHelpText('after', examples([['', 'octavo profile show production']]))
    .action((asked: string | undefined, _options: object, command: Command) => {
      const { profile: flag } = globalFlags(command)
      const inUse = flag ?? (context.environment[settings.profile.variable] || readProfiles(context).default)
      const name = asked ?? inUse
      if (name === undefined) {
        throw wrongUse('There is no default profile: name one, or choose one with octavo profile use NAME.')
      }
      const facts = shown(name, requireProfile(context, name).profile)
      if (wantsJson(command)) return output.write(jsonLine(facts))
      const lines = Object.entries(facts).map(([key, value]) => `${key.padEnd(10)}${value}\n`)
      return output.write(lines.join(''))
    })

  profile
    .command('remove')
    .summary('remove a profile')
    .description(
      'Removes a profile from the file. The token in it stays valid: revoke it with octavo token revoke.',
    )
    .argument('<NAME>', 'the name of the profile')
    .addHelpText('after', examples([['', 'octavo profile remove production']]))
    .action((name: string, _options: object, command: Command) => {
      const wasDefault = removeProfile(context, name)
      if (wantsJson(command)) return output.write(jsonLine({ profile: name, removed: true }))
      const next = wasDefault ? ' It was the default: choose another with octavo profile use NAME.' : ''
      return output.write(`The profile ${name} is removed; its token is still valid.${next}\n`)
    })
}

/** Shows enough of the token to identify it. */
const shown = (name: string, { token, ...rest }: Profile) => ({
  name,
  ...rest,
  ...(token !== undefined && { token: `${token.slice(0, 8)}…` }),
})
