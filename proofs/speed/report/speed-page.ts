import type { HotWalk } from '../flat/prove-hot-objects.ts'
import type { FlatPoint } from '../flat/measure-page.ts'
import type { ManyPoint } from '../flat/prove-many.ts'
import { rateHeader, rateRows } from '../rates/rate-table.ts'
import { markdownTable } from '../../harness/markdown-table.ts'
import type { SpeedReport } from './speed-report.ts'

const number = (value: number): string => value.toLocaleString('en')

/** docs/reference/speed.md, before formatting. */
export function speedPage(report: SpeedReport): string {
  const { options, date, machine, rates, latencies, flat, hot, many, footprint } = report
  return `# How fast pages are

Made by \`npm run prove -- speed\` on ${date.toISOString().slice(0, 10)}, on a machine with ${machine.cores} cores (${machine.cpu}) and
${machine.memoryGigabytes} GB of memory, with PostgreSQL ${machine.postgres} and Node.js ${machine.node}: ${number(options.objects)} objects of about
400 bytes, of which a tenth was changed after the snapshot that is read. Do not compare these figures with those of
another machine; compare the lines with each other. They were measured in turn, in ${options.rounds} rounds of ${options.seconds} s.

## Rates

${image('rates', 'Objects a second of each contestant')}
${image('ratios', 'The share of the rate of PostgreSQL alone that is left')}

${markdownTable(rateHeader, rateRows(rates))}

_of bare_ is the rate divided by that of PostgreSQL alone in the same round, _spread_ the distance of the slowest round from the
fastest as a share of the median, and CPU seconds are those for a million objects.

## Latency

Requests are sent at a fixed rate, and each is timed from the moment at which it should have been sent, so a slow answer also
counts for the requests that had to wait for it. The rate is a share of the best one above.

${image('latency', 'The 99th percentile of the latency at three rates')}

${markdownTable(
  ['page', 'mode', 'share of capacity', 'pages/s', 'p50 ms', 'p99 ms', 'p99.9 ms'],
  latencies.map(({ kind, share, perSecond, p50, p99, p999 }) => [
    number(kind.pageSize),
    kind.mode,
    `${share * 100} %`,
    number(Math.round(perSecond)),
    p50.toFixed(1),
    p99.toFixed(1),
    p999.toFixed(1),
  ]),
)}

## What the speed does not depend on

Pages of 1,000 of revision 2.0. A block is 8 KiB that the statement looked at, in memory or not; _in vain_ are rows that were read but
belong to another state. Times are those of the statement alone, from a client on the same machine.

${flatSection('Depth', 'depth', flat.depth, 'objects before')}
${flatSection('Size of the collection', 'size', flat.size, 'objects')}
${flatSection('Changes since the snapshot', 'churn', flat.churn, 'percent changed')}
${flatSection('Changes before the snapshot', 'reloads', flat.reloads, 'times all changed')}
${hotSection(hot)}
${manySection('Number of types', 'types', many.types)}
${manySection('Number of ontologies', 'ontologies', many.ontologies)}
## Memory and start

${footprint === undefined ? 'Not measured in this run.' : `One process is ready ${footprint.readyMilliseconds.toFixed(0)} ms after its start (median of five). It holds ${footprint.restMegabytes.toFixed(0)} MB at rest, and at most ${footprint.busyMegabytes.toFixed(0)} MB while 64 connections read pages of 1,000 as fast as they can.`}

## What was measured, and what was not

- **PostgreSQL alone** is pgbench, over TCP, with as many connections and the very statement that the service sends, prepared, with the
  same session settings. It does what no service can leave out, and nothing else.
- **Octavo** is the service as it is published, with its default options: access tokens checked, page tokens opened and sealed,
  reads written to the audit table, and a log at \`info\` that goes nowhere. Only the time that a request may wait is longer than the
  default, because 64 clients that never pause are an overload, and most of them would be refused. Where it says _2 processes_, two of them on two ports
  share the connections evenly.
- **fastify + pg** are two services in \`proofs/harness/peers\`, written as a team would write them by hand, with the serializer that fastify
  recommends: one uses keyset pagination, the other OFFSET, at nine tenths of the collection. **PostGraphile** runs as its
  documentation recommends for production, with its own cursors. All three read a plain table of the same objects with a column for each
  property. None of them authenticates, logs, audits or has snapshots.
- Directus is not among them: version 12.4.1 could not be installed when this was written.
- The pages of each contestant were compared with what they should contain, at five depths, before its rate was measured; a single answer
  that was not a page would have ended the run.
- The pages are spread evenly over the collection, which fits into memory. Pages of 100 are walked, by every contestant that has a next
  page: from each of 256 places to the next one, each page with the token or key that the one before it gave. Pages of 1,000 are those at the places alone,
  because wrk would take an eighth of the machine to read the next place out of so large an answer; for Octavo that is the harder case,
  because page tokens that a process did not seal itself must be opened. The token of a place was made from one of the service's own by
  changing its position: a walk of revision 1.0 ends at 10,000 objects.
- Every service was under load for some seconds before it was measured, with each kind of page.
- The load generators (pgbench, wrk, and for latency a client in Node.js whose clock has a resolution of a millisecond) run on the
  same machine and take their part of its processors. The server is a throwaway one that does not wait for its disk, which matters
  only for writes.
- Not measured here: TLS, a network, a collection that is larger than memory, filters (see [search costs](search-costs.md)), writes
  while reading (see \`npm run prove -- store\`), and more than one machine.
`
}

const image = (name: string, alternative: string): string => `![${alternative}](speed/${name}.svg)\n`

function flatSection(title: string, chart: string, points: readonly FlatPoint[], xName: string): string {
  const cells = ({ latest, snapshot }: FlatPoint) =>
    [latest, snapshot].flatMap(({ buffers, rowsRemoved, milliseconds }) => [
      number(buffers),
      number(rowsRemoved),
      milliseconds.toFixed(2),
    ])
  const header = [xName, 'latest: blocks', 'in vain', 'ms', 'snapshot: blocks', 'in vain', 'ms']
  return `### ${title}

${image(chart, `Blocks read by a page: ${title.toLowerCase()}`)}
${markdownTable(
  header,
  points.map((point) => [number(point.x), ...cells(point)]),
)}
`
}

const hotSection = (walks: readonly HotWalk[]): string => `### Hot objects

Whole walks of 6,000 objects that change all the time, a fifth of them during the walk
([decision 31](../decisions/0031-history-in-epochs.md)).

${markdownTable(
  ['versions of each', 'walk', 'latest: blocks', 'ms', 'snapshot: blocks', 'ms', 'times the blocks'],
  walks.map(({ versions, name, latest, snapshot }) => [
    number(versions),
    name,
    number(latest.blocks),
    latest.milliseconds.toFixed(1),
    number(snapshot.blocks),
    snapshot.milliseconds.toFixed(1),
    (snapshot.blocks / latest.blocks).toFixed(2),
  ]),
)}
`

const manySection = (title: string, chart: string, points: readonly ManyPoint[]): string => `### ${title}

${image(chart, `Time of a page: ${title.toLowerCase()}`)}
${markdownTable(
  [chart, 'newest, ms', 'the only one, ms', 'times'],
  points.map(({ x, milliseconds, onlyMilliseconds }) => [
    number(x),
    milliseconds.toFixed(2),
    onlyMilliseconds.toFixed(2),
    (milliseconds / onlyMilliseconds).toFixed(2),
  ]),
)}
`
