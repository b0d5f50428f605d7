import { limits } from '@octavo/protocol'
import { Option, type Command } from 'commander'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { connectToOntology, globalFlags, wantsJson } from '../connection/connect.ts'
import { compressOption, type CompressChoice } from '../options/compress-option.ts'
import { atOption } from '../options/at-option.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { partitionPlaceholder } from '../export/export-files.ts'
import {
  exportFormatOf,
  exportFormats,
  requireParquetCan,
  type ExportFormat,
} from '../export/export-format.ts'
import { familyOf } from '../reading/family-of.ts'
import { searchFacts } from '../reading/open-source.ts'
import { queryOf, readCondition } from '../reading/read-condition.ts'
import { whereOption } from '../reading/where-option.ts'
import { readQuery } from '../reading/read-query.ts'
import { readSettings } from '../settings/read-settings.ts'

interface Flags {
  readonly out?: string
  readonly format?: ExportFormat
  readonly escapeFormulas?: true
  readonly where?: readonly string[]
  readonly query?: string
  readonly resume?: true
  readonly restart?: true
  readonly partitions: number
  readonly at?: string
  readonly compress: CompressChoice
}

export function registerExport(program: Command, context: CommandContext): void {
  program
    .command('export')
    .argument('<TYPE>', 'API name of the object type')
    .summary('write all objects of a type, as they are now, to a file')
    .description(
      'Writes the objects of a type as they are at one version, even if others write meanwhile: none is missing and none is repeated. octavo load reads the result, unless it is Parquet, which is for DuckDB, pandas, Spark and the like.',
    )
    .option('--out <FILE>', 'where to write; - or none is standard output')
    .option(
      '--partitions <NUMBER>',
      `how many partitions to read side by side, at most ${limits.partitions.maximum}; with ${partitionPlaceholder} in FILE, each gets its own file`,
      wholeNumber(1, limits.partitions.maximum),
      1,
    )
    .addOption(
      new Option(
        '--format <FORMAT>',
        'the format, if the name of the file does not show it; ndjson for standard output',
      ).choices(exportFormats),
    )
    .option(
      '--escape-formulas',
      "in CSV, put ' before a text that a spreadsheet would take for a formula; octavo load would load that ' too",
    )
    .addOption(whereOption())
    .option('--query <JSON>', 'only objects that this query matches; @FILE reads it from a file')
    .addOption(atOption())
    .option('--resume', 'continue where an earlier run stopped')
    .option('--restart', 'discard the earlier run and start over')
    .addOption(compressOption('received', 'what the service prefers, or none if it is on this machine'))
    .addHelpText(
      'after',
      examples([
        ['everything', 'octavo export flight --out flights.ndjson'],
        ['for a spreadsheet', 'octavo export airport --out airports.csv --escape-formulas'],
        ['for DuckDB or pandas', 'octavo export airport --out airports.parquet'],
        [
          'faster, with four readers of one state',
          'octavo export flight --partitions 4 --out flights.ndjson',
        ],
        [
          'each partition to a file',
          `octavo export flight --partitions 4 --out 'flights-{partition}.ndjson'`,
        ],
        ['some, to another program', `octavo export flight --where 'origin eq ABC' | gzip > abc.ndjson.gz`],
      ]),
    )
    .action(async (type: string, flags: Flags, command: Command) => {
      const out = flags.out === '-' ? undefined : flags.out
      const format = flags.format ?? exportFormatOf(out)
      if (flags.resume && flags.restart) throw wrongUse('Give --resume or --restart, not both.')
      if (out === undefined && (flags.resume || flags.restart)) {
        throw wrongUse('An export to standard output cannot be resumed: give --out FILE for one that can.')
      }
      if (flags.escapeFormulas && format !== 'csv') {
        throw wrongUse(
          '--escape-formulas is for CSV, which spreadsheets open: give --out a name that ends in .csv, or leave this flag out.',
        )
      }
      if (format === 'parquet') {
        requireParquetCan({ out, partitions: flags.partitions, isResumed: flags.resume === true })
      }
      const isPart = flags.query !== undefined || flags.where !== undefined
      const asked = isPart ? await readQuery(flags, context) : undefined
      const connected = await connectToOntology(command, context)
      const { connection, ontology } = connected
      const family = familyOf(ontology)
      const facts = await searchFacts(connection, family, type)
      const { runExport } = await import('../export/run-export.ts')
      await runExport(context, connected, {
        facts,
        family,
        token: readSettings(globalFlags(command), context).token,
        query: isPart
          ? (asked ?? queryOf((flags.where ?? []).map((text) => readCondition(text, facts))))
          : { type: 'empty' },
        out,
        format,
        escapesFormulas: flags.escapeFormulas === true,
        partitions: flags.partitions,
        at: flags.at,
        how: flags.resume ? 'resume' : flags.restart ? 'restart' : 'start',
        compress: flags.compress,
        json: wantsJson(command),
      })
    })
}
