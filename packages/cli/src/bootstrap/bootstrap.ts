// Everything between an empty database and the first `octavo serve`. Each step says what it did, or that it had been done.
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { environmentVariableOf, serveOptions } from '@octavo/service/options'
import { accessOverDatabase } from '../access/access-over-database.ts'
import { databaseVariable } from '../access/refuse-password.ts'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { isThisMachine } from '../settings/is-this-machine.ts'
import { readProfiles } from '../settings/profiles-file.ts'
import { saveProfile } from '../settings/write-profiles.ts'
import { makeFirstToken, type FirstToken } from './first-token.ts'
import { addToEnvFile, readEnvFile } from './service-env-file.ts'

export interface BootstrapOptions {
  readonly databaseUrl: string
  readonly url: string
  readonly profile: string
  readonly subject: string
  readonly envFile: string
  /** Secrets are returned in `secrets` instead of being written to files. */
  readonly print: boolean
}

export interface Bootstrapped {
  readonly migrations: readonly string[]
  readonly key: 'made' | 'in the environment' | 'in the file'
  readonly token: FirstToken
  /** Whether the profile has a token, from now or from before. */
  readonly hasProfile: boolean
  readonly isDefaultProfile: boolean
  readonly secrets: ReadonlyMap<string, string>
}

export const keysVariable = environmentVariableOf(serveOptions.pageTokenKeys)
const portVariable = environmentVariableOf(serveOptions.port)

export async function bootstrap(options: BootstrapOptions, context: CommandContext): Promise<Bootstrapped> {
  const path = resolve(context.currentFolder, options.envFile)
  const inFile = options.print ? new Map<string, string>() : readEnvFile(path)
  const before = readProfiles(context).byName.get(options.profile)
  const migrations = await migrateNow(options.databaseUrl)

  const secrets = new Map<string, string>()
  const key = context.environment[keysVariable]
    ? 'in the environment'
    : inFile.has(keysVariable)
      ? 'in the file'
      : 'made'
  if (key === 'made') secrets.set(keysVariable, `k1:${randomBytes(32).toString('base64url')}`)
  if (!options.print) {
    const missing = new Map(secrets)
    if (key !== 'in the environment' && !inFile.has(databaseVariable)) {
      missing.set(databaseVariable, options.databaseUrl)
    }
    const port = otherPort(options.url)
    if (port !== undefined && !context.environment[portVariable] && !inFile.has(portVariable)) {
      missing.set(portVariable, port)
    }
    addToEnvFile(path, missing)
  }

  const beforeMaking = (): void => {
    if (options.print || before?.token === undefined) return
    throw wrongUse(
      `The profile ${options.profile} has a token already, but not of this database, which has none: choose another name with --profile NAME, or remove it with octavo profile remove ${options.profile}.`,
    )
  }
  const token = await accessOverDatabase(options.databaseUrl, (door) =>
    makeFirstToken(door, { subject: options.subject, now: context.now(), beforeMaking }),
  )
  const profile = { url: options.url, ...(token.kind === 'made' && { token: token.token.accessToken }) }
  if (token.kind === 'made' && options.print) secrets.set('OCTAVO_TOKEN', token.token.accessToken)
  const isSaved = token.kind === 'made' && !options.print && saved(context, options.profile, profile)
  const { default: chosen } = readProfiles(context)
  return {
    migrations,
    key,
    token,
    hasProfile: isSaved || before?.token !== undefined,
    isDefaultProfile: chosen === options.profile,
    secrets: options.print ? secrets : new Map(),
  }
}

/** Where the profile leads to a port of this machine, the service listens there and not at its default. */
function otherPort(url: string): string | undefined {
  const { protocol, port } = new URL(url)
  return protocol === 'http:' && isThisMachine(url) && port !== serveOptions.port.default
    ? port || '80'
    : undefined
}

async function migrateNow(databaseUrl: string): Promise<readonly string[]> {
  const { migrateDatabase } = await import('@octavo/service')
  const applied: string[] = []
  try {
    await migrateDatabase(databaseUrl, (seen) => {
      if (seen.kind === 'migration-applied') applied.push(seen.name)
    })
    return applied
  } catch (error) {
    const cause = error instanceof Error ? error.message || error.name : String(error)
    throw new CliError(
      `The database was not migrated (${cause}): check that it runs, that it exists, and that its user may create schemas. Nothing was changed.`,
    )
  }
}

/** A token that cannot be saved is shown, because it cannot be read again. */
function saved(
  context: CommandContext,
  name: string,
  profile: { readonly url: string; readonly token?: string },
): true {
  try {
    saveProfile(context, name, profile)
    return true
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new CliError(
      `${cause}\nThe first token was made. Save it now; it is not shown again:\n${profile.token}`,
    )
  }
}
