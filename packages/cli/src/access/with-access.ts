import type { Command } from 'commander'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { connect, globalFlags } from '../connection/connect.ts'
import { hasConnectionSettings, readWantedOntology } from '../settings/read-settings.ts'
import { settings } from '../settings/setting.ts'
import type { AccessDoor } from './access-door.ts'
import { accessOverDatabase } from './access-over-database.ts'
import { accessOverHttp } from './access-over-http.ts'
import { databaseVariable, refusePassword } from './refuse-password.ts'

export const databaseOption = [
  '--database-url <URL>',
  'work directly on this database (default, if no URL and no token are set: OCTAVO_DATABASE_URL)',
] as const

/** Opens the service or the database, runs the work, and closes it. */
export async function withAccess<Answer>(
  command: Command,
  context: CommandContext,
  act: (door: AccessDoor, ontology: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  const flags = globalFlags(command)
  const { databaseUrl: asked } = command.opts<{ readonly databaseUrl?: string }>()
  await refusePassword(asked)
  const reachable = hasConnectionSettings(flags, context)
  const databaseUrl = asked ?? (reachable ? undefined : context.environment[databaseVariable] || undefined)
  const ontology = readWantedOntology(flags, context)
  if (databaseUrl !== undefined) return accessOverDatabase(databaseUrl, (door) => act(door, ontology))
  if (!reachable) {
    throw wrongUse(
      `Neither a service nor a database is given. For a service, give ${settings.url.flag} and ${settings.token.flag} (or ${settings.url.variable} and ${settings.token.variable}, or a profile). For the first token of a new deployment, give its database: --database-url or ${databaseVariable}.`,
    )
  }
  return act(accessOverHttp(connect(command, context)), ontology)
}
