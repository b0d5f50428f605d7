import { wrongUse } from '../base/cli-error.ts'
import type { Environment } from '../base/command-context.ts'
import { isThisMachine } from './is-this-machine.ts'
import { readProfiles, type SettingsContext } from './profiles-file.ts'
import { serviceUrl, type GlobalFlags } from './read-settings.ts'
import { settings } from './setting.ts'

/** The profile to save a service in: the one that was named, else one with the name of its host. */
export function profileNameFor(url: string, flags: GlobalFlags, context: SettingsContext): string {
  const asked = flags.profile ?? (context.environment[settings.profile.variable] || undefined)
  if (asked !== undefined) {
    if (/^[\w.:@-]{1,100}$/.test(asked)) return asked
    throw wrongUse(`The name of a profile must be of letters, digits and the characters . : @ - _`)
  }
  const { hostname } = new URL(url)
  const name = isThisMachine(url) ? 'local' : hostname
  const there = readProfiles(context).byName.get(name)?.url
  if (there === undefined || serviceUrl(there) === url) return name
  throw wrongUse(
    `The profile ${name} is for ${there}: choose another name with --profile NAME, or replace it with --profile ${name}.`,
  )
}

/** The URL that a flag or the environment names. A profile is what is about to be written, so it is not asked. */
export function urlFromFlags(flags: GlobalFlags, environment: Environment): string | undefined {
  const url = flags.url ?? (environment[settings.url.variable] || undefined)
  return url === undefined ? undefined : serviceUrl(url)
}
