import type { PageCost } from '../harness/measure-page.ts'

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

/** The reference page that the long run of the proof writes. */
export function costsPage({ rows, objects, pageSize, cores, date }: CostsPage): string {
  const header = ['operator', 'matches', 'way', 'first page: buffers', 'ms', 'after', 'rows', 'buffers', 'ms']
  const body = rows.map(({ operator, matches, first, deep }) => [
    operator,
    number(matches),
    first.way === deep.way ? first.way : `${first.way}, ${deep.way}`,
    number(first.buffers),
    first.milliseconds.toFixed(1),
    number(deep.depth),
    number(deep.rows),
    number(deep.buffers),
    deep.milliseconds.toFixed(1),
  ])
  return `# What a page of a search costs

Made by \`npm run prove -- search\` on ${date.toISOString().slice(0, 10)}, on a machine with ${cores} cores: pages of ${pageSize} of
${number(objects)} objects of about 400 bytes, in the latest state. A buffer is a block of 8 KiB that a statement looked at, in
memory or not; unlike a time, the number is the same on every machine. The times are those of PostgreSQL under \`EXPLAIN\`, which
makes them longer.

_Way_ is how the page was found. **range** reads a range of an index that contains exactly the matches. **gathers** collects all
matches from indexes of any kind, again for every page. **checks** reads a range and checks every object until the page is full.
_After_ is the number of results of the walk before the second page. If the way depends on the number of matches, PostgreSQL is
first asked for its estimate, which reads no rows.

${table(header, body)}

Objects that are far apart in the table cost a buffer each; neighbours share one. Ranges stay close to that at every depth.
Gathering costs a buffer for every match on every page, and is chosen if PostgreSQL expects few matches; for a phrase, and for
conditions that depend on each other, it expects too few. The last three lines are for a condition that no index can decide. Here it
was read to the end. The service ends such a page after ten seconds, as soon as it has a match and knows that another one follows.
When the time of the request is nearly up, the page ends with what was found so far, or with \`ScanTimedOut\`, and the next request
continues from there.
`
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, i) =>
    Math.max(3, title.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 || i === 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 || i === 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(header), rule, ...rows.map(line)].join('\n')
}
