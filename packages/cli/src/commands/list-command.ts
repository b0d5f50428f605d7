import type { Query } from '@octavo/protocol'
import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { wantsJson } from '../connection/connect.ts'
import { atOption } from '../options/at-option.ts'
import { repeated } from '../options/repeated.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { layTable } from '../output/format-table.ts'
import { examples } from '../output/help-texts.ts'
import { amountText, countText } from '../output/numbers.ts'
import { jsonLine } from '../output/output.ts'
import type { ObjectSource, ShownObject } from '../reading/object-source.ts'
import { openSource } from '../reading/open-source.ts'
import { chooseColumns, readColumns } from '../reading/object-table.ts'
import { operatorNames, readCondition } from '../reading/read-condition.ts'
import { readOrder } from '../reading/read-order.ts'
import { readQuery } from '../reading/read-query.ts'

interface ListOptions {
  readonly where?: readonly string[]
  readonly orderBy?: readonly string[]
  readonly limit: number
  readonly pageSize?: number
  readonly snapshot?: boolean
  readonly at?: string
  readonly columns?: readonly string[]
}

export function registerList(program: Command, context: CommandContext): void {
  withWalkOptions(program.command('list'))
    .summary('show objects of a type as a table')
    .description(
      'Shows objects of a type as a table. In a terminal it has the key, the title, and as many other properties as there is room for; in a pipe or a file it has all of them.',
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
    .action(async (type: string, options: ListOptions, command: Command) => {
      await showObjects({ source: await openSource(command, context, type), options, command, context })
    })
}

interface SearchOptions extends ListOptions {
  readonly query?: string
}

export function registerSearch(program: Command, context: CommandContext): void {
  withWalkOptions(program.command('search'))
    .summary('show the objects that a query matches')
    .description(
      'Shows the objects that a query matches, as list does. docs/guides/searching.md describes the query language.',
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
      const source = await openSource(command, context, type)
      await showObjects({ source, options, query, command, context })
    })
}

const withWalkOptions = (command: Command): Command =>
  command
    .argument('<TYPE>', 'API name of the object type')
    .option(
      '--where <CONDITION>',
      `'FIELD OPERATOR VALUE'; if repeated, all must hold. Operators: ${operatorNames}`,
      repeated,
    )
    .option('--order-by <PROPERTY>', 'the order, such as startedOn:desc; may be repeated', repeated)
    .option('--columns <PROPERTIES>', 'only these properties, such as origin,status', repeated)
    .option('--limit <NUMBER>', 'the maximum number of objects', wholeNumber(1), 100)
    .option('--page-size <NUMBER>', 'the number of objects per request', wholeNumber(1, 1_000))
    .option('--snapshot', 'read one state of the type, even if others write meanwhile')
    .addOption(atOption())

interface Showing {
  readonly source: ObjectSource
  readonly options: ListOptions
  readonly query?: Query | undefined
  readonly command: Command
  readonly context: CommandContext
}

/** The column widths of a long table are computed from its first rows. */
const sampleRows = 200

async function showObjects({ source, options, query, command, context: { output } }: Showing): Promise<void> {
  const { where = [], orderBy, limit, at, snapshot = at !== undefined } = options
  const walk = source.walk({
    conditions: where.map((text) => readCondition(text, source.facts)),
    ...(query !== undefined && { query }),
    ...(orderBy !== undefined && { orderBy: readOrder(orderBy) }),
    // Reading one more object than is shown tells whether there are more.
    pageSize: options.pageSize ?? Math.min(1_000, limit + 1),
    snapshot,
    ...(at !== undefined && { snapshotToken: at }),
  })
  const json = wantsJson(command)
  const asked = readColumns(options.columns, source.facts)
  // A program that reads the table gets all of it.
  const width = () => (output.isTerminal ? output.columns() : Infinity)
  let shown = 0
  let more = false
  let sample: ShownObject[] = []
  let hidden: readonly string[] = []
  let line: ((object: ShownObject) => string) | undefined
  const begin = async () => {
    const { columns, cellsOf, leftOut } = chooseColumns(source.facts, sample, width(), asked)
    const table = { columns, rows: sample.map(cellsOf) }
    const laid = layTable(table, { width: width(), style: output.style })
    line = (object) => laid.line(cellsOf(object))
    await output.write(laid.head + sample.map(line).join(''))
    sample = []
    hidden = leftOut
  }
  for await (const object of walk) {
    if (shown === limit) {
      more = true
      break
    }
    shown += 1
    if (json) await output.write(jsonLine(asked === undefined ? object : only(object, asked)))
    else if (line !== undefined) await output.write(line(object))
    else if (sample.push(object) === sampleRows) await begin()
  }
  if (json) return
  if (sample.length > 0) await begin()
  if (hidden.length > 0)
    output.note(`No room for ${hidden.join(', ')}: choose with --columns, or use --json.\n`)
  output.note(endText(shown, more, source))
}

const only = ({ properties, ...others }: ShownObject, names: readonly string[]): ShownObject => ({
  ...others,
  properties: Object.fromEntries(
    names.flatMap((name) => (name in properties ? [[name, properties[name]]] : [])),
  ),
})

const endText = (shown: number, more: boolean, { facts: { apiName } }: ObjectSource): string =>
  more
    ? `The first ${countText(shown)}; there are more: use a larger --limit, or octavo export ${apiName}.\n`
    : `${amountText(shown, 'object')}.\n`
