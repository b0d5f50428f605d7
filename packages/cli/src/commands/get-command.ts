import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { wantsJson } from '../connection/connect.ts'
import { examples } from '../output/help-texts.ts'
import { jsonLine, jsonLines } from '../output/printed-value.ts'
import { outputFormatOption, type OutputFormat } from '../output/output-format.ts'
import { oneLine, padText, textWidth } from '../output/text-width.ts'
import { yamlText } from '../output/yaml-text.ts'
import { missingAs } from '../reading/missing-as.ts'
import { openObjectSource } from '../reading/open-source.ts'
import { shownValue } from '../reading/shown-value.ts'

export function registerGet(program: Command, context: CommandContext): void {
  const { output } = context
  program
    .command('get')
    .summary('show one object')
    .description('Shows one object with all its properties. A property without a value is not shown.')
    .argument('<TYPE>', 'API name of the object type')
    .argument('<KEY>', 'its primary key')
    .addOption(outputFormatOption('print the whole object in this format'))
    .addHelpText(
      'after',
      examples([
        ['', 'octavo get employee 1001'],
        ['', 'octavo get employee 1001 -o yaml'],
      ]),
    )
    .action(
      async (type: string, key: string, options: { readonly output?: OutputFormat }, command: Command) => {
        const source = await openObjectSource(command, context, type)
        const found = await source.get(key).catch(missingAs(source.facts, key))
        if (wantsJson(command) && options.output === undefined) return output.write(jsonLine(found))
        // The service sends the properties in the order of their names, for checksums. People know that of the definition.
        const names = [...source.facts.properties.keys()].filter((name) =>
          Object.hasOwn(found.properties, name),
        )
        const entries = names.map((name) => [name, found.properties[name]] as const)
        const object = { ...found, properties: Object.fromEntries(entries) }
        if (options.output === 'json') return output.write(jsonLines(object))
        if (options.output === 'yaml') return output.write(yamlText(object))
        const width = Math.max(...entries.map(([name]) => textWidth(name)))
        const lines = entries.map(
          ([name, value]) =>
            `${output.style.strong(padText(name, width, 'left'))}  ${oneLine(shownValue(value))}\n`,
        )
        return output.write(lines.join(''))
      },
    )
}
