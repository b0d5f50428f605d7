import { Option, type Command } from 'commander'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { connect, globalFlags, wantsJson } from '../connection/connect.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { delimiterOption } from '../records/delimiter-option.ts'
import { recordFormats, type RecordFormat } from '../records/read-records.ts'
import { sourceOption, tableOption, wantedTable, type TableFlags } from '../source/wanted-table.ts'
import { hasConnectionSettings, readWantedOntology } from '../settings/read-settings.ts'

interface Flags extends TableFlags {
  readonly type?: string
  readonly key?: string
  readonly out?: string
  readonly force?: true
  readonly yes?: true
  readonly rows: number
  readonly format?: RecordFormat
  readonly delimiter: string
}

export function registerInit(program: Command, context: CommandContext): void {
  program
    .command('init')
    .summary('guess a definition from a file or a table')
    .description(
      'Reads a file, or a table or view of PostgreSQL, and writes the definition of an object type that fits it: types, key, and what can be searched and sorted, each with the reason. octavo load then takes the file or table as it is. In a terminal, it offers to apply the definition and load the objects; otherwise it does so only with --yes.',
    )
    .argument('[FILE]', 'CSV or NDJSON, optionally gzipped')
    .option(...tableOption)
    .option(...sourceOption)
    .option('--type <NAME>', 'API name of the object type (default: the name of the file or table)')
    .option('--key <COLUMN>', 'the column that is the primary key (default: it is guessed)')
    .option(
      '--out <FILE>',
      'where to write the definition (default: the name of the file or type with .yaml); - is standard output',
    )
    .option('--force', 'overwrite the definition file if it exists')
    .option('-y, --yes', 'apply the definition and load the objects, without asking')
    .option('--rows <NUMBER>', 'how many rows to look at', wholeNumber(1), 1_000_000)
    .addOption(
      new Option('--format <FORMAT>', 'the format of the file, if its name does not show it').choices(
        recordFormats,
      ),
    )
    .addOption(delimiterOption())
    .addHelpText(
      'after',
      examples([
        ['see what it guesses, and write orders.yaml', 'octavo init orders.csv'],
        ['from a file to objects in one command', 'octavo init orders.csv --yes'],
        ['only print the definition', 'octavo init orders.csv --out -'],
        [
          'a table of another database',
          'octavo init --from-table orders --source-url postgres://reader@db/shop',
        ],
        ['another name, another key', "octavo init export.csv --type order --key 'Order No'"],
      ]),
    )
    .action(async (file: string | undefined, flags: Flags, command: Command) => {
      const table = await wantedTable(file === undefined ? [] : [file], flags, context)
      if (file === '-')
        throw wrongUse('init reads a file that can be loaded afterwards: save the input to a file first.')
      if (flags.yes && flags.out === '-')
        throw wrongUse('--yes applies a file, and --out - writes none: leave one of them out.')
      const global = globalFlags(command)
      const isConnected = flags.yes === true || hasConnectionSettings(global, context)
      const { runInit } = await import('../init/run-init.ts')
      await runInit(context, {
        from: table ?? { file: file ?? '' },
        delimiter: flags.delimiter,
        mostRows: flags.rows,
        format: flags.format,
        type: flags.type,
        key: flags.key,
        out: flags.out,
        force: flags.force === true,
        yes: flags.yes === true,
        json: wantsJson(command),
        connection: isConnected ? connect(command, context) : undefined,
        ontology: readWantedOntology(global, context),
        ontologyFlag: global.ontology,
        run: (words) => runCommand(program, words),
      })
    })
}

/** Runs another command as if it had been typed, with the settings of this one. */
async function runCommand(program: Command, [name, ...words]: readonly string[]): Promise<void> {
  const found = program.commands.find((command) => command.name() === name)
  if (found === undefined) throw new Error(`there is no command ${name}`)
  await found.parseAsync(words, { from: 'user' })
}
