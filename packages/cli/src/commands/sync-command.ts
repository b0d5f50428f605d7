import { limits } from '@octavo/protocol/vocabulary'
import { Option, type Command } from 'commander'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { connectToOntology, globalFlags, wantsJson } from '../connection/connect.ts'
import { compressOption, type CompressChoice } from '../options/compress-option.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { familyOf } from '../reading/family-of.ts'
import { readSettings } from '../settings/read-settings.ts'
import { copyTarget, toOption } from '../sync/to-option.ts'

interface Flags {
  readonly to?: string
  readonly partitions: number
  readonly follow?: true
  readonly restart?: true
  readonly whenExpired?: 'stop' | 'restart'
  readonly compress: CompressChoice
}

export function registerSync(program: Command, context: CommandContext): void {
  program
    .command('sync')
    .argument('<TYPES...>', 'API names of object types')
    .summary('keep a copy of some types in SQLite or PostgreSQL')
    .description(
      'Copies all objects of some types into tables of a SQLite file or a PostgreSQL database. Run again, it writes only what has changed. At any moment the copy is one state of the service, the same for all types, even after an interruption. If the service no longer knows what has changed since that state, the copy stays as it is, unless you give --restart or --when-expired restart, or agree on a terminal.',
    )
    .option(...toOption)
    .option(
      '--partitions <NUMBER>',
      `how many partitions of a type to read side by side for a first copy, at most ${limits.partitions.maximum}`,
      wholeNumber(1, limits.partitions.maximum),
      1,
    )
    .option('--follow', 'keep running, and write each change as soon as it happens, until Ctrl-C')
    .option('--restart', 'read everything again, beside the copy, and replace it when the new one is whole')
    .addOption(
      new Option(
        '--when-expired <HOW>',
        'what to do when the service no longer knows what has changed since the state of the copy (default: ask on a terminal, stop elsewhere)',
      ).choices(['stop', 'restart']),
    )
    .addOption(compressOption('received', 'what the service prefers, or none if it is on this machine'))
    .addHelpText(
      'after',
      examples([
        ['two types in one file', 'octavo sync flight aircraft --to copy.sqlite'],
        ['in a PostgreSQL database', 'octavo sync flight --to postgres://ada@db.example.com/copy'],
        ['and keep it up to date', 'octavo sync flight aircraft --to copy.sqlite --follow'],
        ['is the copy what the service has?', 'octavo verify --to copy.sqlite'],
      ]),
    )
    .action(async (types: readonly string[], flags: Flags, command: Command) => {
      if (types.length > limits.snapshotToken.objectTypes) {
        throw wrongUse(`A copy has at most ${limits.snapshotToken.objectTypes} types: name fewer.`)
      }
      const target = await copyTarget(flags.to, context)
      const connected = await connectToOntology(command, context)
      const { runSync } = await import('../sync/run-sync.ts')
      await runSync(context, connected, {
        objectTypes: [...new Set(types)],
        target,
        family: familyOf(connected.ontology),
        token: readSettings(globalFlags(command), context).token,
        partitions: flags.partitions,
        reloads: flags.restart === true,
        isFollowing: flags.follow === true,
        whenExpired: flags.whenExpired,
        compress: flags.compress,
        json: wantsJson(command),
      })
    })
}
