import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { CliError } from '../base/cli-error.ts'
import { connectToOntology, wantsJson } from '../connection/connect.ts'
import { describedType } from '../describe/described-type.ts'
import { descriptionText } from '../describe/description-text.ts'
import { ontologyDefinition } from '../definitions/ontology-definition.ts'
import { examples } from '../output/help-texts.ts'
import { jsonLine, jsonLines } from '../output/printed-value.ts'
import { outputFormatOption, type OutputFormat } from '../output/output-format.ts'

export function registerDescribe(program: Command, context: CommandContext): void {
  const { output } = context
  program
    .command('describe')
    .summary('show the properties of a type, and what can be queried')
    .description(
      'Shows the properties of an object type, its key and links, which of them filters and orders can use, and how many objects it has. With -o yaml or -o json it prints the definition as a file that octavo apply accepts, which needs the role writer.',
    )
    .argument('<TYPE>', 'API name of the object type')
    .addOption(outputFormatOption('print the definition file instead'))
    .addHelpText(
      'after',
      examples([
        ['', 'octavo describe flight'],
        ['save the definition, to change and apply it', 'octavo describe flight -o yaml > flight.yaml'],
      ]),
    )
    .action(async (type: string, options: { readonly output?: OutputFormat }, command: Command) => {
      const connected = await connectToOntology(command, context)
      const described = await describedType(connected, type)
      if (options.output === undefined) {
        return output.write(wantsJson(command) ? jsonLine(described) : descriptionText(described, context))
      }
      if (described.definition === undefined) {
        throw new CliError(
          `Only the writers of ${connected.ontology.apiName} can read the whole definition, and you are ${connected.ontology.role}: ask an owner for the role writer, or leave out -o.`,
        )
      }
      const file = { ontology: ontologyDefinition(connected.ontology), objectTypes: [described.definition] }
      if (options.output === 'json') return output.write(jsonLines(file))
      const { writeDefinitionFile } = await import('../definitions/write-definition-file.ts')
      return output.write(writeDefinitionFile(file))
    })
}
