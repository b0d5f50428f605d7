// Shows objects as a table, or as lines of JSON.
import type { Query } from '@octavo/protocol'
import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { wantsJson } from '../connection/connect.ts'
import { layTable, tableLook } from '../output/format-table.ts'
import { amountText, countText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import type { ObjectSource, ShownObject } from './object-source.ts'
import { chooseColumns, readColumns } from './object-table.ts'
import { readCondition } from './read-condition.ts'
import { readOrder } from './read-order.ts'

export interface ShowOptions {
  readonly where?: readonly string[]
  readonly orderBy?: readonly string[]
  readonly limit: number
  readonly pageSize?: number
  readonly snapshot?: boolean
  readonly at?: string
  readonly columns?: readonly string[]
}

interface Showing {
  readonly source: ObjectSource
  readonly options: ShowOptions
  readonly query?: Query | undefined
  readonly command: Command
  readonly context: CommandContext
}

/** The column widths of a long table are computed from its first rows. */
const sampleRows = 200

export async function showObjects({
  source,
  options,
  query,
  command,
  context: { output },
}: Showing): Promise<void> {
  const { where = [], orderBy, limit, at, snapshot = at !== undefined } = options
  let changed = false
  const walk = source.walk({
    conditions: where.map((text) => readCondition(text, source.facts)),
    ...(query !== undefined && { query }),
    ...(orderBy !== undefined && { orderBy: readOrder(orderBy) }),
    // Reading one more object than is shown tells whether there are more.
    pageSize: options.pageSize ?? Math.min(1_000, limit + 1),
    snapshot,
    onNotice: () => {
      changed = true
    },
    ...(at !== undefined && { snapshotToken: at }),
  })
  const json = wantsJson(command)
  const asked = readColumns(options.columns, source.facts)
  let shown = 0
  let more = false
  let sample: ShownObject[] = []
  let hidden: readonly string[] = []
  let line: ((object: ShownObject) => string) | undefined
  const begin = async () => {
    const look = tableLook(output)
    const { columns, cellsOf, leftOut } = chooseColumns(source.facts, sample, look.width, asked)
    const table = { columns, rows: sample.map(cellsOf) }
    const laid = layTable(table, look)
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
  if (changed)
    output.note('Others wrote meanwhile, so this may not be one state: add --snapshot to read one.\n')
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
