import type { Snapshot } from '@octavo/protocol'
import type { Command } from 'commander'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { connectToOntology, wantsJson } from '../connection/connect.ts'
import { requestPath } from '../connection/request-path.ts'
import { ServiceRefused } from '../connection/service-errors.ts'
import { familyOf } from '../reading/family-of.ts'
import { examples } from '../output/help-texts.ts'
import { jsonLine } from '../output/printed-value.ts'

export function registerSnapshot(program: Command, context: CommandContext): void {
  const { output } = context
  program
    .command('snapshot')
    .argument('[TYPES...]', 'API names of object types; all of the ontology if none is given')
    .option(
      '--as-of <TIME|VERSION>',
      'an earlier state: a time such as 2026-05-01T09:30:00Z, or a version of one type',
    )
    .summary('get a token to read several types in one state')
    .description(
      'Prints a snapshot token. It names the state of these types now, or an earlier one with --as-of. Commands with --at TOKEN, such as export, list, search and count, all read this one state, whatever others write meanwhile.',
    )
    .addHelpText(
      'after',
      examples([
        [
          'two types as they are at one moment',
          `token=$(octavo snapshot flight aircraft)\n  $ octavo export flight --at "$token" --out flights.ndjson\n  $ octavo export aircraft --at "$token" --out aircraft.ndjson`,
        ],
        [
          'flights as they were half an hour ago',
          `token=$(octavo snapshot flight --as-of "$(date -u -d '-30 min' +%FT%TZ)")\n  $ octavo search flight --at "$token"`,
        ],
      ]),
    )
    .action(async (types: readonly string[], { asOf }: { readonly asOf?: string }, command: Command) => {
      const state = readAsOf(asOf, types)
      const { connection, ontology } = await connectToOntology(command, context)
      const asked = connection.json<Snapshot>({
        method: 'POST',
        path: requestPath`/api/${familyOf(ontology)}/v1/snapshots`,
        json: { ...(types.length > 0 && { objectTypes: types }), ...state },
      })
      const snapshot = await asked.catch(aboutAsOf)
      if (wantsJson(command)) return output.write(jsonLine(snapshot))
      await output.write(`${snapshot.snapshotToken}\n`)
      return output.note(`It can be read until ${snapshot.readableUntil} at least.\n`)
    })
}

/** A number is a version, anything else a time. */
function readAsOf(asOf: string | undefined, types: readonly string[]) {
  if (asOf === undefined) return {}
  if (/^[0-9]+$/.test(asOf)) {
    if (types.length === 1) return { version: asOf }
    throw wrongUse(
      `--as-of ${asOf} is a version, and every object type counts its own: name one type, or give a time such as 2026-05-01T09:30:00Z.`,
    )
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(asOf)) return { at: asOf }
  throw wrongUse(
    `--as-of must be a time with its zone, such as 2026-05-01T09:30:00Z, or a version of one type, not "${asOf}".`,
  )
}

/** The service names the field of its request. */
function aboutAsOf(error: unknown): never {
  if (!(error instanceof ServiceRefused)) throw error
  const { path, problem } = error.parameters
  if (path !== '/at' && path !== '/version') throw error
  const message = `${String(problem).replace(/^it /, '--as-of ')}.`
  throw new CliError(message, exitCodes.wrongUse, { cause: error })
}
