import type { PageCost } from '../harness/measure-page.ts'
import { markdownTable } from '../harness/markdown-table.ts'

export interface CostRow {
  readonly operator: string
  readonly isRange: boolean
  readonly matches: number
  readonly first: PageCost
  readonly deep: PageCost
}

export interface CostsPage {
  readonly rows: readonly CostRow[]
  readonly objects: number
  readonly pageSize: number
  readonly cores: number
  readonly date: Date
}

const number = (value: number) => value.toLocaleString('en')

/** The reference page that the long run of the proof writes, before formatting. */
export function costsPage({ rows, objects, pageSize, cores, date }: CostsPage): string {
  const sizes = [...new Set(rows.map(({ matches }) => matches))]
  const operators = [...new Set(rows.map(({ operator }) => operator))]
  const lines = operators.map((operator) => [
    operator,
    ...sizes.map((matches) => cell(rows.find((row) => row.operator === operator && row.matches === matches))),
  ])
  return `# What a page of a search costs

Which operators are cheap, and for how many matches? Made by \`npm run prove -- search\` on ${date.toISOString().slice(0, 10)}, on a machine with
${cores} cores: pages of ${pageSize} of ${number(objects)} objects of about 400 bytes, in the latest state.

Each cell has the first page of a walk, and a deep one after half of the matches, at most 100,000: how they were found, the buffers
that they read, and the milliseconds. A buffer is a block of 8 KiB that a statement looked at, in memory or not; the number is the
same on every machine. The times are those of PostgreSQL under \`EXPLAIN\`, which makes them longer.

- **range** reads a range of an index that contains exactly the matches.
- **gathers** collects all matches from indexes of any kind, again for every page.
- **checks** reads a range and checks every object until the page is full.

${markdownTable(['operator', ...sizes.map((size) => `${number(size)} matches`)], lines)}

Objects that are far apart in the table cost a buffer each; neighbours share one. Ranges stay close to that at every depth.
Gathering costs a buffer for every match on every page, and is chosen if PostgreSQL expects few matches; for a phrase, and for
conditions that depend on each other, it expects too few. If the way depends on the number of matches, PostgreSQL is first asked for
its estimate, which reads no rows.

The last line is a condition that no index can decide. Here it was read to the end. The service ends such a page after ten seconds, as
soon as it has a match and knows that another one follows. When the time of the request is nearly up, the page ends with what was
found so far, or with \`ScanTimedOut\`, and the next request continues from there.
`
}

function cell(row: CostRow | undefined): string {
  if (row === undefined) return ''
  const { first, deep } = row
  const way = first.way === deep.way ? first.way : `${first.way}, ${deep.way}`
  const times = [first, deep].map(({ milliseconds }) => milliseconds.toFixed(1)).join(', ')
  return `${way} ${number(first.buffers)}, ${number(deep.buffers)} (${times} ms)`
}
