import { orders, type Order } from './employee.ts'
import { perThousand, type LostTally } from './lost-tally.ts'
import type { LostReport } from './lost-report.ts'
import { markdownTable } from '../harness/markdown-table.ts'

const number = (value: number): string => value.toLocaleString('en')

const titles: Readonly<Record<Order, string>> = {
  employeeId: 'In key order',
  hiredAt: 'In the order of a time',
}

const header = [
  'contestant',
  'missed objects',
  'repeated objects',
  'of both, untouched',
  'torn pairs',
  'walks that show one state',
  'commits during a walk',
]

const rowOf = (tally: LostTally): readonly string[] => [
  tally.contestant,
  ...[tally.missed, tally.repeated, tally.untouched, tally.torn, tally.oneState].map((count) =>
    number(perThousand(tally, count)),
  ),
  (tally.commits / tally.walks).toFixed(1),
]

/** docs/reference/what-others-lose.md, before formatting. */
export function lostPage({ date, machine, objects, pageSize, tallies }: LostReport): string {
  const walks = Math.min(...tallies.map((tally) => tally.walks))
  const sections = orders.map((order) => {
    const rows = tallies.filter((tally) => tally.order === order).map(rowOf)
    return `### ${titles[order]}\n\n${markdownTable(header, rows)}`
  })
  return `# What others lose, measured

A client reads a collection page by page while others write. What does it have at the end? Made by \`npm run prove -- lost\` on
${date.toISOString().slice(0, 10)}: ${number(walks)} walks of each contestant in each order, over about ${number(objects)} objects in pages of ${pageSize}, with one commit
for each page.

![What a thousand walks of each contestant missed, repeated and tore](what-others-lose/walks.svg)

All counts are for a thousand walks, except those of the last column.

${sections.join('\n\n')}

- **Missed** are objects that were in the collection from before the first request until after the last answer, and were not
  returned.
- **Repeated** are objects that one walk returned more than once.
- **Of both, untouched** are the missed and repeated objects that nobody changed during the walk.
- **Torn** are pairs that were shown as they never were. The objects are employees, and come in pairs that always work in the same
  department: both are inserted, changed and deleted in one transaction. A pair is torn if a walk shows it in two departments, or
  shows one of the two although the pair came or went as a whole. A half that is counted as missed is not counted again.
- A walk **shows one state** if it returned exactly what was in the collection at one moment, in the right order. Even a walk
  without a missed, repeated or torn object may not: it can show a later commit without an earlier one.

## Why each of them loses what it loses

**OFFSET** counts from the front. If an object before the offset is deleted, all others move forward by one, and the next page
begins one too late: an object is missed that nobody touched. If one is inserted before the offset, the last object of the page
comes again. In the order of a time, a change of that time does both. Much of what is lost nobody had touched.

**Keyset** continues after the values of the last object, so others that come and go do not matter. In key order it misses and
repeats nothing, because a key never changes. In any other order, an object that moves from the part that is still to be read into
the part that was read already is missed, and one that moves the other way comes twice. An object that nobody touches is returned once. In
every order the pages show different moments, so of two objects that changed together, one page may show the old state and another the new.
It looks right: nothing in the answers tells the client.

**PostGraphile's cursors** are a keyset inside: a cursor has the values of the order and the primary key. They lose what a keyset
loses.

**Octavo in default mode** is a keyset too, and loses the same: every page shows the latest state at the time of its request
([P32](../../spec/1-reading.md#modes)). In key order it misses and repeats nothing ([P33](../../spec/1-reading.md#modes)). In another order it
may do both to an object whose values of that order change ([P34](../../spec/1-reading.md#modes)). It is still the right choice where
the newest matters more than the whole: a list that a person scrolls through, a search for a few objects, or a walk in key order
that may take longer than snapshots are kept, an hour by default ([P36](../../spec/1-reading.md#modes)).

**Octavo from a snapshot** loses nothing. The first page reads the latest version, its page token has the number of that version,
and all later pages read at it, from what is current and from the history of what was changed since
([P35](../../spec/1-reading.md#modes)). The price is that history, and that a page passes over rows of other versions ([how fast pages
are](speed.md)). Choose it for a copy, a sum, a comparison, or a decision about what no longer exists.

One thing is not shown here: a peer could keep one transaction open for the whole walk (\`REPEATABLE READ\`, or a cursor of
PostgreSQL) and would lose nothing either. It would hold a connection for each reader for as long as the reader takes, vacuum
could not clean up behind it, and the walk would end with its connection. None of the three peers offers that over HTTP.

## How it was measured

- On a machine with ${machine.cores} cores (${machine.cpu}), PostgreSQL ${machine.postgres} and Node.js ${machine.node}. The
  figures hardly depend on the speed of the machine, or on what else it does: they depend on the commits during a walk, and those
  come with the pages.
- All contestants walk at the same time, in both orders, in step: each requests its next page when all have the one before. With
  every page, one commit is sent at the same moment to both stores: to Octavo through its API, and to the plain table that the
  peers read, in one transaction. So all have the same commits, between the same pages. Whether a commit is in the page that is
  requested beside it is left to chance.
- Half of the commits move a pair: they give both a new department and a new time. A quarter inserts a pair with new keys, a
  quarter deletes one. The two of a pair are about half of the collection apart, in either order. During a walk, about a
  twentieth of the objects change. With fewer commits, less is lost; with none, every contestant is right.
- That they are right while nobody writes is checked in the same run, before the first commit and after the last. So both stores
  got the same changes, and the judge knows them.
- One writer sends one commit after another, so their order is known. A walk is judged by every state from the last one
  acknowledged before its first request to the last one sent before its last answer. Where a commit was under way at the end, the
  doubt is in favour of the contestant. The judge has tests with walks made by hand (\`proofs/lost/judge-walk.test.ts\`).
- **OFFSET** and **keyset** are the services in \`proofs/harness/peers\` that are also measured in [how fast pages are](speed.md). Both
  order by time and primary key, so no two objects are equal; the position of the keyset has both, and its time as PostgreSQL
  writes it. For both, a page that is not full is the last. **PostGraphile** runs as its documentation recommends for production;
  it adds the primary key to an order by itself, and its \`hasNextPage\` ends the walk. There is an index for each order.
- **Octavo** is searched with revision 2.0, and started as for [how fast pages are](speed.md).

## Repeating it

<!-- not run: takes minutes; \`npm run check\` runs the second -->

\`\`\`sh
npm run prove -- lost                # ${number(walks)} walks of each; writes this page and its picture
npm run prove -- lost --short     # some walks of each, without PostGraphile; part of \`npm run check\`
\`\`\`

It fails if a walk from a snapshot misses, repeats or tears anything or shows no state, or if one in default mode misses or
repeats what it should not. It also fails if the others lose nothing, because then the commits were not in the way and nothing was
proved.
`
}
