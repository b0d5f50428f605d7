// Prints a difference: as lines of JSON, the last of which names the state, or as a table.
import type { Change, Difference, FoundObject } from '@octavo/client'
import { layTable } from '../output/format-table.ts'
import { amountText, countText } from '../output/numbers.ts'
import type { Output } from '../output/output.ts'
import { jsonLine } from '../output/printed-value.ts'
import type { ShownObject } from '../reading/object-source.ts'
import { chooseColumns } from '../reading/object-table.ts'
import type { TypeFacts } from '../reading/type-facts.ts'

export async function writeChanges({ write }: Output, changes: Difference<FoundObject>): Promise<void> {
  for await (const page of changes.pages()) {
    await write(page.map((change) => jsonLine(change)).join(''))
  }
  const { snapshotToken, fromVersion, toVersion, totalCount, checksum } = changes
  await write(jsonLine({ type: 'end', snapshotToken, fromVersion, toVersion, totalCount, checksum }))
}

/** The widths of a long table are computed from its first rows. */
const sampleRows = 200
const kindColumn = { title: 'change' } as const
/** The widest kind of change, and the gap. */
const kindPlaces = 'deleted'.length + 2

export async function showChanges(
  output: Output,
  changes: Difference<FoundObject>,
  facts: TypeFacts,
): Promise<void> {
  let [puts, deletes] = [0, 0]
  let sample: Change<FoundObject>[] = []
  let line: ((change: Change<FoundObject>) => string) | undefined
  const objectOf = (change: Change<FoundObject>): ShownObject =>
    change.type === 'put' ? change.object : { properties: { [facts.primaryKey]: change.primaryKey } }
  const begin = async (): Promise<void> => {
    const width = output.columns()
    const { columns, cellsOf } = chooseColumns(facts, sample.map(objectOf), width - kindPlaces)
    const cells = (change: Change<FoundObject>) => [
      change.type === 'put' ? 'put' : change.reason,
      ...cellsOf(objectOf(change)),
    ]
    const table = { columns: [kindColumn, ...columns], rows: sample.map(cells) }
    const laid = layTable(table, { width, style: output.style })
    line = (change) => laid.line(cells(change))
    await output.write(laid.head + sample.map(line).join(''))
    sample = []
  }
  for await (const change of changes) {
    if (change.type === 'put') puts += 1
    else deletes += 1
    if (line !== undefined) await output.write(line(change))
    else if (sample.push(change) === sampleRows) await begin()
  }
  if (sample.length > 0) await begin()
  output.note(endText(changes, facts, { puts, deletes }))
}

const endText = (
  { fromVersion, toVersion, totalCount, snapshotToken }: Difference<FoundObject>,
  { apiName }: TypeFacts,
  { puts, deletes }: { readonly puts: number; readonly deletes: number },
): string => {
  const all = totalCount === undefined ? '' : `, which has ${amountText(totalCount, 'object')}`
  return `${countText(puts)} put and ${countText(deletes)} deleted from version ${fromVersion} to version ${toVersion}${all}.
To see what changes from here:
  octavo changes ${apiName} --since ${snapshotToken}
`
}
