import { Option, type Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { wrongUse } from '../base/cli-error.ts'
import { connectToOntology, wantsJson } from '../connection/connect.ts'
import { compressOption, type CompressChoice } from '../options/compress-option.ts'
import { dryRunLoad } from '../load/dry-run-load.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { recordFormats, type RecordFormat } from '../records/read-records.ts'
import { delimiterOption } from '../records/delimiter-option.ts'
import { sourceOption, tableOption, wantedTable, type TableFlags } from '../source/wanted-table.ts'

interface Flags extends TableFlags {
  readonly format?: RecordFormat
  readonly delimiter: string
  readonly merge?: true
  readonly columnsAreWhole?: true
  readonly dryRun?: true
  readonly resume?: true
  readonly restart?: true
  readonly state?: string
  readonly rejected?: string
  readonly maxRejected: number
  readonly compress: CompressChoice
  readonly retrySeconds: number
  readonly batchBytes: number
  readonly inFlight: number
}

export function registerLoad(program: Command, context: CommandContext): void {
  program
    .command('load')
    .argument('<TYPE>', 'API name of the object type')
    .argument('[FILE...]', 'NDJSON or CSV, optionally gzipped; - is standard input')
    .summary('load objects from NDJSON or CSV files, or a table')
    .description(
      'Loads objects from files, or from one state of a table or view of PostgreSQL. Each line of NDJSON, or row of CSV, is one whole object: a property that is not in the line has no value afterwards, and a CSV file that lacks columns is refused. With --merge, a line sets only the properties that it has. Objects that are not in the files stay as they are. Records that do not fit the type are skipped and written to a file of the same form, and the reasons to another file.',
    )
    .option(...tableOption)
    .option(...sourceOption)
    .addOption(
      new Option('--format <FORMAT>', 'the format of the files, if their names do not show it').choices(
        recordFormats,
      ),
    )
    .addOption(delimiterOption())
    .option('--merge', 'set only the properties in the files; null, or an empty cell, removes a value')
    .option(
      '--columns-are-whole',
      'accept a CSV file that lacks columns: those properties have no value afterwards',
    )
    .option('--dry-run', 'only count what would change')
    .option('--resume', 'continue where an earlier run stopped')
    .option('--restart', 'discard the earlier run and start over')
    .option('--state <PATH>', 'where to save the progress (default: FILE.octavo-load.json here)')
    .option(
      '--rejected <PATH>',
      'where to write rejected records, to be corrected and loaded (default: FILE.rejected.csv or .ndjson here, or .rejected-2 if that exists); the reasons are in PATH.reasons.ndjson',
    )
    .option('--max-rejected <NUMBER>', 'stop if more records than this are rejected', wholeNumber(0), 1_000)
    .addOption(compressOption('sent', 'zstd, or none if the service is on this machine'))
    .option('--retry-seconds <SECONDS>', 'how long to retry what fails', wholeNumber(0), 60)
    .option('--batch-bytes <BYTES>', 'the size of one request', wholeNumber(1, 64 * 1024 ** 2), 1024 ** 2)
    .option('--in-flight <NUMBER>', 'the maximum number of requests at a time', wholeNumber(1, 16), 3)
    .addHelpText(
      'after',
      examples([
        ['a CSV file whose header names properties', 'octavo load flight flights.csv'],
        ['two columns of seven, leaving the others as they are', 'octavo load aircraft seats.csv --merge'],
        ['several gzipped files', 'octavo load flight flights-*.ndjson.gz'],
        [
          'a table of another database',
          'octavo load order --from-table orders --source-url postgres://reader@db/shop',
        ],
        ['from another program', 'zcat flights.ndjson.gz | jq -c .flight | octavo load flight -'],
        ['after Ctrl-C or a lost connection', 'octavo load flight flights.csv --resume'],
      ]),
    )
    .action(async (objectType: string, files: readonly string[], flags: Flags, command: Command) => {
      if (flags.resume && flags.restart) throw wrongUse('Give --resume or --restart, not both.')
      if (flags.merge && flags.columnsAreWhole) {
        throw wrongUse(
          'Give --merge to keep the properties that have no column, or --columns-are-whole to remove them, not both.',
        )
      }
      if (flags.dryRun && (flags.resume || flags.restart)) {
        throw wrongUse('--dry-run reads the files from the beginning: leave out --resume and --restart.')
      }
      const table = await wantedTable(files, flags, context)
      const connected = await connectToOntology(command, context)
      const { runLoad } = await import('../load/run-load.ts')
      await (flags.dryRun ? dryRunLoad : runLoad)(context, connected, {
        objectType,
        sources: table === undefined ? files : [table],
        delimiter: flags.delimiter,
        missing: flags.merge ? 'kept' : flags.columnsAreWhole ? 'empty' : 'refused',
        batchBytes: flags.batchBytes,
        mostAtOnce: flags.inFlight,
        mostRejected: flags.maxRejected,
        compress: flags.compress,
        retrySeconds: flags.retrySeconds,
        how: flags.resume ? 'resume' : flags.restart ? 'restart' : 'start',
        json: wantsJson(command),
        ...(flags.format !== undefined && { format: flags.format }),
        ...(flags.rejected !== undefined && { rejected: flags.rejected }),
        ...(flags.state !== undefined && { state: flags.state }),
      })
    })
}
