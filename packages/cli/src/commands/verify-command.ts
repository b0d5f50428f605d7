import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { connectToOntology, globalFlags, wantsJson } from '../connection/connect.ts'
import { examples } from '../output/help-texts.ts'
import { familyOf } from '../reading/family-of.ts'
import { readSettings } from '../settings/read-settings.ts'
import { copyTarget, toOption } from '../sync/to-option.ts'

export function registerVerify(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .summary('prove that a copy made by octavo sync equals the service')
    .description(
      'Computes the checksum of each copied type from the rows of the copy, and compares it and the number of rows with those of the service, in the state of the copy. Names each row that something else has changed.',
    )
    .option(...toOption)
    .addHelpText('after', examples([['', 'octavo verify --to copy.sqlite']]))
    .action(async ({ to }: { readonly to?: string }, command: Command) => {
      const target = await copyTarget(to, context)
      const connected = await connectToOntology(command, context)
      const { runVerify } = await import('../sync/run-verify.ts')
      await runVerify(context, connected, {
        target,
        family: familyOf(connected.ontology),
        token: readSettings(globalFlags(command), context).token,
        json: wantsJson(command),
      })
    })
}
