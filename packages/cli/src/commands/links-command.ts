import type { LinkType, Query } from '@octavo/protocol'
import type { Command } from 'commander'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { didYouMean } from '../base/did-you-mean.ts'
import { wantsJson } from '../connection/connect.ts'
import { linksTable } from '../describe/links-table.ts'
import { tableLook } from '../output/format-table.ts'
import { examples } from '../output/help-texts.ts'
import { jsonLine } from '../output/printed-value.ts'
import type { ObjectSource } from '../reading/object-source.ts'
import { missingAs } from '../reading/missing-as.ts'
import { openObjectSource } from '../reading/open-source.ts'
import { showObjects, type ShowOptions } from '../reading/show-objects.ts'
import { scalarTypeOf, type TypeFacts } from '../reading/type-facts.ts'
import { withShowOptions } from './list-command.ts'

export function registerLinks(program: Command, context: CommandContext): void {
  withShowOptions(
    program
      .command('links')
      .argument('<TYPE>', 'API name of the object type')
      .argument('[KEY]', 'primary key of the object whose links are followed')
      .argument('[LINK]', 'the link to follow'),
  )
    .summary('show the links of a type, or the objects that one leads to')
    .description(
      'Shows the links of an object type or, with KEY and LINK, the objects to which one object is linked. The options choose among those objects.',
    )
    .addHelpText(
      'after',
      examples([
        ['the links of a type', 'octavo links flight'],
        ['the aircraft of one flight', 'octavo links flight 1001 aircraft'],
        [
          'the delayed flights of one aircraft',
          `octavo links aircraft D-AIAB flights --where 'delayMinutes gt 0'`,
        ],
      ]),
    )
    .action(
      async (
        type: string,
        key: string | undefined,
        name: string | undefined,
        options: ShowOptions,
        command: Command,
      ) => {
        const source = await openObjectSource(command, context, type)
        if (key === undefined) return showLinks(source.facts, command, context)
        const link = linkNamed(source, name)
        const target = await openObjectSource(command, context, link.objectType)
        const query: Query = { type: 'linked', link: link.reverse, query: keyQuery(source.facts, key) }
        // A wrong key is an error, and not an object without links.
        await source.get(key).catch(missingAs(source.facts, key))
        return showObjects({ source: target, options, query, command, context })
      },
    )
}

function linkNamed({ facts: { apiName, links } }: ObjectSource, name: string | undefined): LinkType {
  const names = Object.keys(links)
  const found = Object.entries(links).find(([known]) => known === name)
  if (found !== undefined) return found[1]
  const known = names.length === 0 ? 'It has no links.' : `Its links are ${names.join(', ')}.`
  throw new CliError(
    name === undefined
      ? `Say which link of ${apiName} to follow. ${known}`
      : `${apiName} has no link ${name}${didYouMean(name, names)} ${known}`,
  )
}

/** The query for one object; integers are numbers in JSON. */
const keyQuery = (facts: TypeFacts, key: string): Query => ({
  type: 'eq',
  field: facts.primaryKey,
  value: scalarTypeOf(facts, facts.primaryKey) === 'integer' ? Number(key) : key,
})

async function showLinks(
  { apiName, links }: TypeFacts,
  command: Command,
  { output }: CommandContext,
): Promise<void> {
  if (wantsJson(command)) return output.write(jsonLine(links))
  if (Object.keys(links).length === 0)
    return output.note(`${apiName} has no links: docs/build/searching.md says how to declare them.\n`)
  return output.write(linksTable(links, tableLook(output)))
}
