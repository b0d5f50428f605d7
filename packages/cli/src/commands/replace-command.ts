import { limits } from '@octavo/protocol/vocabulary'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { connectToOntology, wantsJson } from '../connection/connect.ts'
import { compressOption, type CompressChoice } from '../options/compress-option.ts'
import { replaceContents } from '../load/replace-contents.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { delimiterOption } from '../records/delimiter-option.ts'
import { recordFormats, type RecordFormat } from '../records/read-records.ts'
import { sourceOption, tableOption, wantedTable, type TableFlags } from '../source/wanted-table.ts'

interface Flags extends TableFlags {
  readonly format?: RecordFormat
  readonly delimiter: string
  readonly columnsAreWhole?: true
  readonly dryRun?: true
  readonly yes?: true
  readonly maxDeletions?: string
  readonly compress: CompressChoice
  readonly retrySeconds: number
}

export function registerReplace(program: Command, context: CommandContext): void {
  program
    .command('replace')
    .argument('<TYPE>', 'API name of the object type')
    .argument('[FILE]', 'NDJSON or CSV, optionally gzipped; - is standard input')
    .summary('replace all objects of a type with those of a file or table')
    .description(
      'Replaces all objects of a type with those of a file, or of a table or view of PostgreSQL, in one version: objects that are not in the file or table are deleted, and unchanged ones stay untouched. In a terminal, it asks before it deletes. If a record does not fit the type, if the file is CSV and lacks columns, or if too many objects would be deleted, nothing is changed.',
    )
    .option(...tableOption)
    .option(...sourceOption)
    .addOption(
      new Option('--format <FORMAT>', 'the format of the file, if its name does not show it').choices(
        recordFormats,
      ),
    )
    .addOption(delimiterOption())
    .option(
      '--columns-are-whole',
      'accept a CSV file that lacks columns: those properties have no value afterwards',
    )
    .option('--dry-run', 'only count what would change')
    .addOption(
      new Option(
        '--max-deletions <LIMIT>',
        `the most objects to delete: a number, or a percentage of all (default: ${limits.replace.deletedPercent}%, at least ${limits.replace.deletedObjects})`,
      ).argParser(deletionLimit),
    )
    .option('-y, --yes', 'do not ask before objects are deleted')
    .addOption(
      compressOption('sent', 'zstd, or none if the service is on this machine or standard input is sent'),
    )
    .option('--retry-seconds <SECONDS>', 'how long to retry what fails', wholeNumber(0), 60)
    .addHelpText(
      'after',
      examples([
        ['every night, from an export of another system', 'octavo replace airport airports.csv'],
        [
          'every night, from a table of another database',
          'octavo replace airport --from-table airports --source-url postgres://db/air',
        ],
        ['see what it would change', 'octavo replace airport airports.csv --dry-run'],
        ['delete up to half of the objects', 'octavo replace airport airports.csv --max-deletions 50%'],
      ]),
    )
    .action(async (objectType: string, file: string | undefined, flags: Flags, command: Command) => {
      const table = await wantedTable(file === undefined ? [] : [file], flags, context)
      await replaceContents(context, await connectToOntology(command, context), {
        objectType,
        source: table ?? file ?? '-',
        ...flags,
        missing: flags.columnsAreWhole ? 'empty' : 'refused',
        json: wantsJson(command),
      })
    })
}

function deletionLimit(text: string): string {
  if (/^\d{1,15}$|^(100|\d{1,2})%$/.test(text)) return text
  throw new InvalidArgumentError(
    'It must be a number of objects, such as 500, or a percentage from 0% to 100%.',
  )
}
