import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { atOption } from '../options/at-option.ts'
import { repeated } from '../options/repeated.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { openObjectSource } from '../reading/open-source.ts'
import { whereOption } from '../reading/where-option.ts'
import { readQuery } from '../reading/read-query.ts'
import { showObjects, type ShowOptions } from '../reading/show-objects.ts'

export function registerList(program: Command, context: CommandContext): void {
  withShowOptions(program.command('list').argument('<TYPE>', 'API name of the object type'))
    .summary('show objects of a type as a table')
    .description(
      'Shows objects of a type as a table. In a terminal, the table has the key, the title, and the other properties that fit; in a pipe or a file, it has all of them.',
    )
    .addHelpText(
      'after',
      examples([
        ['the latest ten', 'octavo list flight --order-by departsAt:desc --limit 10'],
        [
          'only those that meet two conditions',
          `octavo list employee --where 'department eq Maps' \\\n      --where 'startedOn gte 2015-01-01'`,
        ],
        ['only some properties', 'octavo list flight --columns flightNumber,origin,status'],
        ['every property, for a program', 'octavo list employee --json'],
      ]),
    )
    .action(async (type: string, options: ShowOptions, command: Command) => {
      await showObjects({ source: await openObjectSource(command, context, type), options, command, context })
    })
}

interface SearchOptions extends ShowOptions {
  readonly query?: string
}

export function registerSearch(program: Command, context: CommandContext): void {
  withShowOptions(program.command('search').argument('<TYPE>', 'API name of the object type'))
    .summary('show the objects that a query matches')
    .description(
      'Shows the objects that a query matches, as list does. docs/build/searching.md describes the query language.',
    )
    .option('--query <JSON>', 'the query as JSON; @FILE reads it from a file')
    .addHelpText(
      'after',
      examples([
        ['', `octavo search employee --where 'name:lastName eq Okafor'`],
        ['', `octavo search employee --query '{"type":"keyword","query":"maps"}'`],
        ['', 'octavo search employee --query @query.json'],
      ]),
    )
    .action(async (type: string, options: SearchOptions, command: Command) => {
      const query = await readQuery(options, context)
      const source = await openObjectSource(command, context, type)
      await showObjects({ source, options, query, command, context })
    })
}

/** The options of every command that shows objects as a table. */
export const withShowOptions = (command: Command): Command =>
  command
    .addOption(whereOption())
    .option('--order-by <PROPERTY>', 'the order, such as startedOn:desc; may be repeated', repeated)
    .option('--columns <PROPERTIES>', 'only these properties, such as origin,status', repeated)
    .option('--limit <NUMBER>', 'the maximum number of objects', wholeNumber(1), 100)
    .option('--page-size <NUMBER>', 'the number of objects per request', wholeNumber(1, 1_000))
    .option('--snapshot', 'read one state of the type, even if others write meanwhile')
    .addOption(atOption())
