import type { ManagedOntology } from '@octavo/protocol'
import type { Command } from 'commander'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { wantsJson } from '../connection/connect.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { formatTable, tableLook } from '../output/format-table.ts'
import { examples } from '../output/help-texts.ts'
import { amountText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import { danglingOf, type Dangling } from '../reading/dangling-keys.ts'
import { openObjectSource } from '../reading/open-source.ts'
import { shownValue } from '../reading/shown-value.ts'
import type { TypeFacts } from '../reading/type-facts.ts'

export function registerCheck(program: Command, context: CommandContext): void {
  const { output } = context
  const check = program
    .command('check')
    .summary('find objects whose links lead nowhere')
    .description('Finds objects of an ontology that do not fit together.')
    .addHelpText('after', examples([['which links are checked', 'octavo check links --help']]))

  check
    .command('links')
    .argument('<TYPE>', 'API name of the object type whose properties hold the keys')
    .summary('list objects whose links lead nowhere')
    .description(
      'Lists the objects whose links lead to no object that you can see: the key may be wrong, or the object is not there yet. Of an array of keys, those that lead nowhere are shown. If there are any, the command fails.',
    )
    .option('--limit <NUMBER>', 'the maximum number of objects to list', wholeNumber(1), 100)
    .addHelpText('after', examples([['', 'octavo check links flight']]))
    .action(async (type: string, options: { readonly limit: number }, command: Command) => {
      const source = await openObjectSource(command, context, type)
      const found: Dangling[] = []
      for (const [name, link] of Object.entries(source.facts.links)) {
        for await (const dangling of danglingOf(source, name, link)) {
          found.push(dangling)
          if (found.length > options.limit) break
        }
      }
      const shown = found.slice(0, options.limit)
      if (wantsJson(command)) await output.write(shown.map(jsonLine).join(''))
      else if (shown.length > 0) await output.write(tableOf(shown, context))
      if (shown.length === 0) return output.note(`${endsWell(source.facts.links, source.ontology)}\n`)
      const more = found.length > shown.length ? ' or more' : ''
      throw new CliError(
        `${amountText(shown.length, 'object')}${more} of ${type} with a key that leads nowhere: correct the keys, or load the objects that are missing.`,
      )
    })
}

const endsWell = (links: TypeFacts['links'], { apiName }: ManagedOntology): string =>
  Object.values(links).some(({ foreignKeyProperty }) => foreignKeyProperty !== undefined)
    ? 'Every link leads to an object.'
    : `No property of this type holds a link: see octavo links for those of ${apiName}.`

const tableOf = (found: readonly Dangling[], { output }: CommandContext): string =>
  formatTable(
    {
      columns: ['KEY', 'LINK', 'HOLDS'].map((title) => ({ title })),
      rows: found.map(({ primaryKey, link, holds }) => [shownValue(primaryKey), link, shownValue(holds)]),
    },
    tableLook(output),
  )
