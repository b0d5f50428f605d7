import { limits } from '@octavo/protocol/vocabulary'
import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { connectToOntology, globalFlags, wantsJson } from '../connection/connect.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { familyOf } from '../reading/family-of.ts'
import { searchFacts } from '../reading/open-source.ts'
import { queryOf, readCondition } from '../reading/read-condition.ts'
import { whereOption } from '../reading/where-option.ts'
import { readSettings } from '../settings/read-settings.ts'

interface Flags {
  readonly since: string
  readonly to?: string
  readonly where?: readonly string[]
  readonly wait?: number
}

export function registerChanges(program: Command, context: CommandContext): void {
  program
    .command('changes')
    .argument('<TYPE>', 'API name of the object type')
    .summary('show which objects have changed since a state')
    .description(
      'Shows which objects were put or deleted between two states. Each is shown at most once, as it is in the later state. On a terminal the output is a table; elsewhere, and with --json, it is a line of JSON for each change, and a last line with the snapshot token of the later state. To keep a copy equal to the service, use octavo sync.',
    )
    .requiredOption(
      '--since <TOKEN|FILE>',
      'the earlier state: a snapshot token, or a file whose last line has one',
    )
    .option('--to <TOKEN>', 'the later state, by its snapshot token (default: the latest)')
    .addOption(whereOption())
    .option(
      '--wait <SECONDS>',
      `if nothing has changed, how long to wait for a change, at most ${limits.changes.waitSeconds}`,
      wholeNumber(0, limits.changes.waitSeconds),
    )
    .addHelpText(
      'after',
      examples([
        ['from now on', 'octavo snapshot flight > state'],
        ['', 'octavo changes flight --since state'],
        [
          'again and again, each time from where the last one ended',
          'octavo changes flight --since state > changes.ndjson',
        ],
        ['', 'tail -n 1 changes.ndjson > state'],
        ['only of some objects', `octavo changes flight --since state --where 'origin eq ABC'`],
      ]),
    )
    .action(async (type: string, flags: Flags, command: Command) => {
      const { readSince } = await import('../changes/read-since.ts')
      const since = await readSince(flags.since, context)
      const { connection, ontology } = await connectToOntology(command, context)
      const family = familyOf(ontology)
      const facts = await searchFacts(connection, family, type, command.args)
      const { createClient } = await import('@octavo/client')
      const { token } = readSettings(globalFlags(command), context)
      const client = createClient({ url: connection.url, token, fetch: context.fetch })
      const changes = client
        .family(family)
        .objects(facts.apiName)
        .changes(since, {
          ...(flags.to !== undefined && { toSnapshotToken: flags.to }),
          ...(flags.wait !== undefined && { waitSeconds: flags.wait }),
          ...(flags.where !== undefined && {
            query: queryOf(flags.where.map((text) => readCondition(text, facts))),
          }),
          signal: context.stopAsked,
        })
      const { showChanges, writeChanges } = await import('../changes/show-changes.ts')
      if (wantsJson(command) || !context.output.isTerminal) await writeChanges(context.output, changes)
      else await showChanges(context.output, changes, facts)
    })
}
