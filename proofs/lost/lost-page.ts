import { orders, type Order } from './employee.ts'
import { perThousand, type LostTally } from './lost-tally.ts'
import type { LostReport } from './lost-report.ts'
import { markdownTable } from '../harness/markdown-table.ts'

const number = (value: number): string => value.toLocaleString('en')

const titles: Readonly<Record<Order, string>> = {
  employeeId: 'In key order',
  hiredAt: 'In the order of a time',
}

const header = ['contestant', 'missed', 'repeated', 'untouched', 'torn pairs', 'show one state']

const rowOf = (tally: LostTally): readonly string[] => [
  tally.contestant,
  ...[tally.missed, tally.repeated, tally.untouched, tally.torn, tally.oneState].map((count) =>
    number(perThousand(tally, count)),
  ),
]

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** docs/reference/what-others-lose.md, before formatting. */
export function lostPage({ date, machine, objects, pageSize, tallies }: LostReport): string {
  const walks = Math.min(...tallies.map((tally) => tally.walks))
  const commits = sum(tallies.map((tally) => tally.commits)) / sum(tallies.map((tally) => tally.walks))
  const sections = orders.map((order) => {
    const rows = tallies.filter((tally) => tally.order === order).map(rowOf)
    return `### ${titles[order]}\n\n${markdownTable(header, rows)}`
  })
  return `# What others lose, measured

A client reads a collection page by page while others write. What does it have at the end? Made by \`npm run prove -- lost\` on
${date.toISOString().slice(0, 10)}: ${number(walks)} walks of each contestant in each order, over about ${number(objects)} objects in pages of ${pageSize}, with one commit
for each page, ${commits.toFixed(1)} in a walk.

![What a thousand walks of each contestant missed, repeated and tore](what-others-lose/walks.svg)

All counts are for a thousand walks:

${sections.join('\n\n')}

- **Missed**: in the collection from before the first request until after the last answer, and not returned. **Repeated**: returned
  more than once by one walk. **Untouched**: those of both that nobody changed during the walk.
- **Torn**: two objects that are always inserted, changed and deleted in one transaction, and were shown in two departments, or one
  without the other. A half that is counted as missed is not counted again.
- A walk **shows one state** if it returned exactly what was in the collection at one moment, in the right order.

## Why each of them loses what it loses

**OFFSET** counts from the front. If an object before the offset is deleted, all others move forward by one, and the next page
begins one too late: an object is missed that nobody touched. If one is inserted, the last object of the page comes again. In the
order of a time, a change of that time does both.

**Keyset** continues after the values of the last object. In key order it misses and repeats nothing, because a key never changes.
In any other order, an object that moves from the unread part into the read one is missed, and one that moves the other way comes
twice. In every order the pages show different moments, so of two objects that changed together, one page may show the old state and
another the new. Nothing in the answers says so. **PostGraphile's cursors** are a keyset inside, and lose the same.

**Octavo in default mode** is a keyset too: every page shows the latest state at the time of its request
([P32 to P34](../../spec/1-reading.md#modes)). It is the right choice where the newest matters more than the whole: a list that a
person scrolls through, or a walk in key order that may take longer than snapshots are kept, an hour by default
([P36](../../spec/1-reading.md#modes)).

**Octavo from a snapshot** loses nothing. The first page reads the latest version, and all later pages read at that version, from what
is current and from the history of what was changed since ([P35](../../spec/1-reading.md#modes)). The price is that history, and that a
page passes over rows of other versions ([how fast pages are](speed.md)). Choose it for a copy, a sum or a comparison.

A peer could also keep one transaction open for the whole walk and lose nothing. It would hold a connection for each reader for as long
as the reader takes, vacuum could not clean up behind it, and the walk would end with its connection. None of the three peers offers
that over HTTP.

## How it was measured

- On a machine with ${machine.cores} cores (${machine.cpu}), PostgreSQL ${machine.postgres} and Node.js ${machine.node}. The
  figures hardly depend on the speed of the machine: they depend on the commits during a walk, and those come with the pages.
- All contestants walk in step, in both orders: each requests its next page when all have the one before. With every page, one
  commit is sent at the same moment to both stores: to Octavo, and to the plain table that the peers read. Whether it is in the page
  that is requested beside it is left to chance.
- Half of the commits give a pair a new department and a new time, a quarter inserts a pair, a quarter deletes one. The two of a pair are
  about half of the collection apart. During a walk, about a twentieth of the objects change. With fewer commits, less is lost; with
  none, every contestant is right, which is checked before the first commit and after the last.
- A walk is judged by every state from the last commit acknowledged before its first request to the last one sent before its last answer.
  Where a commit was under way, the doubt is in favour of the contestant.
- Octavo is searched with revision 2.0. It and the peers are started as for [how fast pages are](speed.md), with an index for each order.
  OFFSET and keyset order by time and primary key. For both, a page that is not full is the last; PostGraphile's \`hasNextPage\` ends its walk.

The proof fails if a walk from a snapshot loses anything, if one in default mode loses what it should not, or if the others lose nothing.

<!-- not run: takes minutes; \`npm run check -- --full\` runs the second -->

\`\`\`sh
npm run prove -- lost            # writes this page and its picture
npm run prove -- lost --short    # some walks of each, without PostGraphile
\`\`\`
`
}
