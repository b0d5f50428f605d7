import type { Aggregate, SnapshotToken } from '@octavo/protocol'
import type { Command } from 'commander'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { wantsJson } from '../connection/connect.ts'
import { atOption } from '../options/at-option.ts'
import { repeated } from '../options/repeated.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { formatTable, tableLook } from '../output/format-table.ts'
import { examples } from '../output/help-texts.ts'
import { amountText, countText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import { openObjectSource } from '../reading/open-source.ts'
import { queryOf, readCondition } from '../reading/read-condition.ts'
import { whereOption } from '../reading/where-option.ts'
import { shownValue } from '../reading/shown-value.ts'
import { noProperty, type TypeFacts } from '../reading/type-facts.ts'

interface CountOptions {
  readonly by?: readonly string[]
  readonly where?: readonly string[]
  readonly limit: number
  readonly at?: string
}

export function registerCount(program: Command, context: CommandContext): void {
  program
    .command('count')
    .summary('count the objects of a type, also by property')
    .description(
      'Counts the objects of a type that meet all conditions. With --by, it counts them for each value of a property, the most frequent first; objects without a value are counted too. The numbers are exact and of one state.',
    )
    .argument('<TYPE>', 'API name of the object type')
    .option('--by <PROPERTY>', 'count for each value of this property; may be repeated', repeated)
    .addOption(whereOption())
    .option('--limit <NUMBER>', 'the maximum number of values', wholeNumber(1, 10_000), 100)
    .addOption(atOption())
    .addHelpText(
      'after',
      examples([
        ['', 'octavo count employee'],
        ['how many in each department', 'octavo count employee --by department'],
        [
          'only those who started lately',
          `octavo count employee --by department --where 'startedOn gte 2020-01-01'`,
        ],
      ]),
    )
    .action(async (type: string, options: CountOptions, command: Command) => {
      const source = await openObjectSource(command, context, type)
      const by = (options.by ?? []).map((field) => knownField(field, source.facts))
      const conditions = (options.where ?? []).map((text) => readCondition(text, source.facts))
      const counted = await source.aggregate({
        query: queryOf(conditions),
        ...(options.at !== undefined && { snapshotToken: options.at as SnapshotToken }),
        aggregation: [{ type: 'count', ...(by.length > 0 && { direction: 'DESC' }) }],
        groupBy: by.map((field) => ({
          type: 'exact',
          field,
          includeNullValues: true,
          maxGroupCount: options.limit,
        })),
      })
      await show(counted, by, { json: wantsJson(command), context })
    })
}

function knownField(field: string, facts: TypeFacts): string {
  const [property = ''] = field.split(':')
  if (!facts.properties.has(property)) throw wrongUse(`--by ${field}: ${noProperty(property, facts)}`)
  return field
}

async function show(
  { data, excludedItems = 0 }: Aggregate,
  by: readonly string[],
  { json, context: { output } }: { readonly json: boolean; readonly context: CommandContext },
): Promise<void> {
  const counts = data.map(({ group, metrics }) => ({ group, count: Number(metrics[0]?.value ?? 0) }))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (by.length === 0) return output.write(json ? jsonLine({ totalCount: String(total) }) : `${total}\n`)
  const table = {
    columns: [...by.map((title) => ({ title })), { title: 'count', align: 'right' as const }],
    rows: counts.map(({ group, count }) => [...by.map((field) => shownValue(group[field])), String(count)]),
  }
  await output.write(json ? data.map(jsonLine).join('') : formatTable(table, tableLook(output)))
  if (json && excludedItems === 0) return
  output.note(
    excludedItems === 0
      ? `${amountText(total, 'object')}.\n`
      : `${amountText(total, 'object')}, and ${countText(excludedItems)} of other values: use a larger --limit.\n`,
  )
}
