import { Option, type Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
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
    .argument('<FILE>', 'NDJSON or CSV, optionally gzipped; - is standard input')
    .summary('replace all objects of a type with those of a file')
    .description(
      'Replaces all objects of a type with those of a file, in one version: objects that are not in the file are deleted, and unchanged ones stay untouched. If a record does not fit the type, nothing is changed.',
    )
    .addOption(
      new Option('--format <FORMAT>', 'the format of the file, if its name does not tell it').choices(
        recordFormats,
      ),
    )
    .addOption(delimiterOption())
    .option('--retry-seconds <SECONDS>', 'how long to retry what fails', wholeNumber(0), 60)
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
