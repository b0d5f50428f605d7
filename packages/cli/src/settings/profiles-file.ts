import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { didYouMean } from '../base/did-you-mean.ts'
import { fileErrorOf } from '../base/file-error.ts'
import { settings } from './setting.ts'

export interface Profile {
  readonly url?: string
  readonly token?: string
  readonly ontology?: string
}

export interface Profiles {
  readonly path: string
  /** The profile to use if none is named. */
  readonly default?: string
  readonly byName: ReadonlyMap<string, Profile>
}

export type SettingsContext = Pick<CommandContext, 'environment' | 'homeFolder'>

export const profilesPath = ({ environment, homeFolder }: SettingsContext): string =>
  join(environment['XDG_CONFIG_HOME'] || join(homeFolder, '.config'), 'octavo', 'profiles.yaml')

/** The contents of the file; no profiles if it does not exist. */
export function readProfiles(context: SettingsContext): Profiles {
  const path = profilesPath(context)
  const text = textOf(path)
  if (text === undefined) return { path, byName: new Map() }
  const document = parseDocument(text)
  const [broken] = document.errors
  if (broken !== undefined) throw wrongUse(`${path} is not valid YAML: ${broken.message}`)
  const content: unknown = document.toJS() ?? {}
  const { default: chosen, profiles = {}, ...unknown } = recordIn(content, path, 'the file')
  refuseUnknown(unknown, path, 'the file', ['default', 'profiles'])
  const byName = new Map(
    Object.entries(recordIn(profiles, path, 'profiles')).map(([name, profile]) => [
      name,
      profileIn(profile, path, name),
    ]),
  )
  if ([...byName.values()].some(({ token }) => token !== undefined)) refuseIfOthersMayRead(path)
  return { path, byName, ...(typeof chosen === 'string' && { default: chosen }) }
}

export function profileNamed(name: string, { path, byName }: Profiles): Profile {
  const profile = byName.get(name)
  if (profile !== undefined) return profile
  const names = [...byName.keys()]
  const known = names.length === 0 ? 'Make one with octavo login' : `It has ${names.join(', ')}`
  throw wrongUse(`There is no profile ${name} in ${path}${didYouMean(name, names)} ${known}.`)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileErrorOf(error, path) ?? error
  }
}

/** As ssh does with a key: a secret that others can read is not a secret, and continuing would hide that. */
function refuseIfOthersMayRead(path: string): void {
  if ((statSync(path).mode & 0o077) === 0) return
  throw wrongUse(
    `${path} contains a token, but other users may read it. Restrict it to yourself:\n  chmod 600 ${path}`,
  )
}

const settingNames = [settings.url.name, settings.token.name, settings.ontology.name] as const

function profileIn(value: unknown, path: string, name: string): Profile {
  const given = recordIn(value, path, `profile ${name}`)
  const profile: { -readonly [Name in keyof Profile]: string } = {}
  for (const [key, text] of Object.entries(given)) {
    const known = settingNames.find((known) => known === key)
    if (known === undefined) refuseUnknown({ [key]: text }, path, `profile ${name}`, settingNames)
    else if (typeof text === 'string') profile[known] = text
    else throw wrongUse(`${path}: ${key} of profile ${name} must be a string.`)
  }
  return profile
}

function recordIn(value: unknown, path: string, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value))
  }
  throw wrongUse(`${path}: ${what} must be a mapping of keys to values. See octavo --help for an example.`)
}

function refuseUnknown(unknown: object, path: string, what: string, known: readonly string[]): void {
  const [name] = Object.keys(unknown)
  if (name === undefined) return
  throw wrongUse(`${path}: ${what} has the unknown key ${name}; the keys are ${known.join(', ')}.`)
}
