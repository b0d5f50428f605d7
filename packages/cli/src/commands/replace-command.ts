import { Option, type Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { connectToOntology, wantsJson } from '../connection/connect.ts'
import { replaceContents } from '../load/replace-contents.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { delimiterOption } from '../records/delimiter-option.ts'
import { recordFormats, type RecordFormat } from '../records/read-records.ts'

interface Flags {
  readonly format?: RecordFormat
  readonly delimiter: string
  readonly retrySeconds: number
}

export function registerReplace(program: Command, context: CommandContext): void {
  program
    .command('replace')
    .argument('<TYPE>', 'API name of the object type')
    .argument('<FILE>', 'NDJSON or CSV, also packed with gzip; - is standard input')
    .summary('make a file the whole contents of a type')
    .description(
      'Makes the objects of a file the whole contents of a type, in one version: objects that are not in the file are deleted, those that are as they were stay untouched. One record that does not fit, and nothing is changed.',
    )
    .addOption(
      new Option('--format <FORMAT>', 'of the file, if its name does not tell').choices(recordFormats),
    )
    .addOption(delimiterOption())
    .option('--retry-seconds <SECONDS>', 'for how long to try again what fails', wholeNumber(0), 60)
    .addHelpText(
      'after',
      examples([['every night, from an export of another system', 'octavo replace airport airports.csv']]),
    )
    .action(async (objectType: string, file: string, flags: Flags, command: Command) => {
      await replaceContents(context, await connectToOntology(command, context), {
        objectType,
        file,
        ...flags,
        json: wantsJson(command),
      })
    })
}
