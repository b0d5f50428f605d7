import { Argument, type Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { completeNames } from '../completion/completion-tree.ts'
import { knownNames, nameKinds, type NameKind } from '../completion/known-names.ts'
import { globalFlags } from '../connection/connect.ts'
import { openConnection } from '../connection/connection.ts'
import { readProfiles } from '../settings/profiles-file.ts'
import { readSettings } from '../settings/read-settings.ts'

/** Nobody waits longer than this for a completion. */
const mostMilliseconds = 1_000

/** Called by the completion scripts, while the user types: whatever fails, it prints nothing. */
export function registerCompleteNames(program: Command, context: CommandContext): void {
  program
    .command(completeNames, { hidden: true })
    .addArgument(new Argument('<KIND>').choices(nameKinds))
    .argument('[TYPE]')
    .action(async (kind: NameKind, type: string | undefined, _options: object, command: Command) => {
      const names = await namesOf(kind, type, command, context).catch(() => [])
      await context.output.write(names.map((name) => `${name}\n`).join(''))
    })
}

async function namesOf(
  kind: NameKind,
  type: string | undefined,
  command: Command,
  context: CommandContext,
): Promise<readonly string[]> {
  if (kind === 'profiles') return [...readProfiles(context).byName.keys()]
  const settings = readSettings(globalFlags(command), context)
  const stopAsked = AbortSignal.any([context.stopAsked, AbortSignal.timeout(mostMilliseconds)])
  const connection = openConnection(settings, { fetch: context.fetch, stopAsked })
  return knownNames(connection, { kind, type, ontology: settings.ontology })
}
