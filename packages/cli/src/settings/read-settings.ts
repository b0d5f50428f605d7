import { wrongUse } from '../base/cli-error.ts'
import { profileNamed, readProfiles, type SettingsContext } from './profiles-file.ts'
import { settings, type Setting } from './setting.ts'

/** The flags that every command has, as commander passes them. */
export interface GlobalFlags {
  readonly url?: string
  readonly token?: string
  readonly ontology?: string
  readonly profile?: string
  readonly json?: boolean
}

export interface Settings {
  /** Without a trailing slash. */
  readonly url: string
  readonly token: string
  readonly ontology?: string
}

/** A flag overrides the environment, which overrides the profile. The error for a missing setting names all three. */
export function readSettings(flags: GlobalFlags, context: SettingsContext): Settings {
  const read = settingReader(flags, context)
  const ontology = read.optional(settings.ontology)
  return {
    url: serviceUrl(read.required(settings.url)),
    token: serviceToken(read.required(settings.token)),
    ...(ontology !== undefined && { ontology }),
  }
}

/** Only the URL of the service, for requests that need no token. */
export const readUrl = (flags: GlobalFlags, context: SettingsContext): string =>
  serviceUrl(settingReader(flags, context).required(settings.url))

/** The ontology that the settings name, if any. */
export const readWantedOntology = (flags: GlobalFlags, context: SettingsContext): string | undefined =>
  settingReader(flags, context).optional(settings.ontology)

/** Whether a url and a token are set anywhere. Their values are not checked. */
export function hasConnectionSettings(flags: GlobalFlags, context: SettingsContext): boolean {
  const read = settingReader(flags, context)
  return read.optional(settings.url) !== undefined && read.optional(settings.token) !== undefined
}

/** The url and the token, as far as they are set. */
export function knownSettings(
  flags: GlobalFlags,
  context: SettingsContext,
): { readonly url?: string; readonly token?: string } {
  const read = settingReader(flags, context)
  const url = read.optional(settings.url)
  const token = read.optional(settings.token)
  return {
    ...(url !== undefined && { url: serviceUrl(url) }),
    ...(token !== undefined && { token: serviceToken(token) }),
  }
}

function settingReader(flags: GlobalFlags, context: SettingsContext) {
  const { environment } = context
  const profiles = readProfiles(context)
  const asked = flags.profile ?? (environment[settings.profile.variable] || undefined)
  const name = asked ?? profiles.default
  const profile = name === undefined ? {} : profileNamed(name, profiles)
  const optional = ({ name, variable }: Setting): string | undefined =>
    // Compose files and CI systems pass an unset variable as an empty one.
    flags[name] ?? (environment[variable] || (name === 'profile' ? undefined : profile[name]))
  const required = (setting: Setting): string => {
    const value = optional(setting)
    if (value !== undefined && value !== '') return value
    const inProfile = name === undefined ? `a profile` : `the profile ${name}`
    throw wrongUse(
      `The ${setting.name} is missing: give ${setting.flag} ${setting.takes}, set ${setting.variable}, or add ${setting.name} to ${inProfile} in ${profiles.path}, as octavo login does.`,
    )
  }
  return { optional, required }
}

/** Checks that it has the characters of a token: a shell or a file may have added others. */
export function serviceToken(text: string): string {
  const [strange] = /[^\w.~+/=-]/.exec(text) ?? []
  if (strange === undefined) return text
  const what = /\s/.test(strange) ? 'a blank or a line break' : `the character ${strange}`
  throw wrongUse(
    `The token has ${what} in it: give the token alone, whole, without quotation marks and without the word Bearer.`,
  )
}

/** Checks the form of the URL; returns it without a trailing slash. */
export function serviceUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrongUse(`The url must be of the form http://HOST:PORT or https://HOST, not "${text}".`)
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw wrongUse(`The url must not have a user name, a query or a fragment: remove them.`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
