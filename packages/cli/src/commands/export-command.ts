import { Option, type Command } from 'commander'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { connectToOntology, globalFlags, wantsJson } from '../connection/connect.ts'
import { runExport } from '../export/run-export.ts'
import { repeated } from '../options/repeated.ts'
import { examples } from '../output/help-texts.ts'
import { searchFacts } from '../reading/open-source.ts'
import { operatorNames, queryOf, readCondition } from '../reading/read-condition.ts'
import { readQuery } from '../reading/read-query.ts'
import { recordFormats, type RecordFormat } from '../records/read-records.ts'
import { readSettings } from '../settings/read-settings.ts'

interface Flags {
  readonly out?: string
  readonly format?: RecordFormat
  readonly where?: readonly string[]
  readonly query?: string
  readonly resume?: true
  readonly restart?: true
}

export function registerExport(program: Command, context: CommandContext): void {
  program
    .command('export')
    .argument('<TYPE>', 'API name of the object type')
    .summary('write all objects of a type, as they are now, to a file')
    .description(
      'Writes the objects of a type as they are at one version, even if others write meanwhile: none is missing and none is repeated. octavo load can read the result.',
    )
    .option('--out <FILE>', 'where to write; standard output if not given')
    .addOption(
      new Option('--format <FORMAT>', 'the format; by default that of the file name, else ndjson').choices(
        recordFormats,
      ),
    )
    .option(
      '--where <CONDITION>',
      `'FIELD OPERATOR VALUE'; if repeated, all must hold. Operators: ${operatorNames}`,
      repeated,
    )
    .option('--query <JSON>', 'only objects that this query matches; @FILE reads it from a file')
    .option('--resume', 'continue where an earlier run stopped')
    .option('--restart', 'discard the earlier run and start over')
    .addHelpText(
      'after',
      examples([
        ['everything', 'octavo export flight --out flights.ndjson'],
        ['for a spreadsheet', 'octavo export airport --out airports.csv'],
        ['some, to another program', `octavo export flight --where 'origin eq ABC' | gzip > abc.ndjson.gz`],
      ]),
    )
    .action(async (type: string, flags: Flags, command: Command) => {
      if (flags.resume && flags.restart) throw wrongUse('Give --resume or --restart, not both.')
      if (flags.out === undefined && (flags.resume || flags.restart)) {
        throw wrongUse('An export to standard output cannot be resumed: give --out FILE for one that can.')
      }
      const isPart = flags.query !== undefined || flags.where !== undefined
      const asked = isPart ? await readQuery(flags, context) : undefined
      const connected = await connectToOntology(command, context)
      const { connection, ontology } = connected
      const [family] = ontology.apiFamilies
      if (family === undefined) {
        throw wrongUse(
          `The ontology ${ontology.apiName} has no API family, which is needed to read a whole type. Add one to its definition, for example apiFamilies: [${ontology.apiName.toLowerCase()}], and run octavo apply.`,
        )
      }
      const facts = await searchFacts(connection, family, type)
      await runExport(context, connected, {
        facts,
        family,
        token: readSettings(globalFlags(command), context).token,
        query: isPart
          ? (asked ?? queryOf((flags.where ?? []).map((text) => readCondition(text, facts))))
          : { type: 'empty' },
        out: flags.out,
        format: flags.format ?? (flags.out?.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson'),
        how: flags.resume ? 'resume' : flags.restart ? 'restart' : 'anew',
        json: wantsJson(command),
      })
    })
}
