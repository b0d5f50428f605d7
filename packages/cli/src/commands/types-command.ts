import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { aboutFile } from '../base/file-error.ts'
import { connectToOntology } from '../connection/connect.ts'
import { objectTypesOf } from '../connection/object-types.ts'
import { examples } from '../output/help-texts.ts'
import { amountText } from '../output/numbers.ts'
import { writeTypesFile } from '../types/write-types-file.ts'

export function registerTypes(program: Command, context: CommandContext): void {
  const { output } = context
  program
    .command('types')
    .summary('write the object types as TypeScript, for @octavo/client')
    .description(
      'Writes the object types of an ontology as a TypeScript file, from which @octavo/client gets its types.',
    )
    .option('--out <FILE>', 'the file to write; - or none is standard output')
    .addHelpText('after', examples([['', 'octavo types --out src/ontology.ts']]))
    .action(async ({ out }: { readonly out?: string }, command: Command) => {
      const { connection, ontology } = await connectToOntology(command, context)
      const types = await objectTypesOf(connection, ontology)
      const text = writeTypesFile(types.map(({ definition }) => definition))
      if (out === undefined || out === '-') return output.write(text)
      await aboutFile(out, () => writeFile(resolve(context.currentFolder, out), text))
      return output.write(
        `Wrote ${amountText(types.length, 'object type')} of ${ontology.apiName} to ${out}.\n`,
      )
    })
}
