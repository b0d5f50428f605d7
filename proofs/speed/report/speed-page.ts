import type { HotWalk } from '../flat/prove-hot-objects.ts'
import type { FlatPoint } from '../flat/measure-page.ts'
import type { ManyPoint } from '../flat/prove-many.ts'
import { pageRateHeader, pageRateRows } from '../rates/rate-page-table.ts'
import { markdownTable } from '../../harness/markdown-table.ts'
import type { SpeedReport } from './speed-report.ts'

const number = (value: number): string => value.toLocaleString('en')

/** docs/reference/speed.md, before formatting. */
export function speedPage(report: SpeedReport): string {
  const { options, date, machine, rates, latencies, flat, hot, many, footprint } = report
  const spreads = rates.map(({ spread }) => Math.round(spread * 100))
  const statements = Object.values(flat).flatMap((points) =>
    points.flatMap(({ latest, snapshot }) => [latest.milliseconds, snapshot.milliseconds]),
  )
  const best = (pageSize: number): string => {
    const ofService = rates.filter(
      ({ name, kind }) => name === 'Octavo' && kind.revision === '2.0' && kind.pageSize === pageSize,
    )
    return number(Math.round(Math.max(...ofService.map(({ objectsPerSecond }) => objectsPerSecond))))
  }
  return `# How fast pages are

How many objects does one machine serve, how long does a page take, and what makes it slower? Made by
\`npm run prove -- speed\` on ${date.toISOString().slice(0, 10)}, on a machine with ${machine.cores} cores (${machine.cpu}) and ${machine.memoryGigabytes} GB of memory, with
PostgreSQL ${machine.postgres} and Node.js ${machine.node}: ${number(options.objects)} objects of about 400 bytes, of which a tenth was
changed after the snapshot that is read. Compare the lines with each other, and not with figures of another machine.

In short: one process returned up to ${best(1_000)} objects a second in pages of 1,000, and ${best(100)} in pages of 100. A page
costs the same at every depth; from a snapshot, it costs more the more has changed since.

## Rates

${image('rates', 'Objects a second of each contestant')}
Objects a second with so many connections, and in brackets the ratio to PostgreSQL alone in the same round. CPU seconds are for a
million objects, with the fewest connections.

${markdownTable(pageRateHeader(rates), pageRateRows(rates))}

These are medians of ${options.rounds} rounds of ${options.seconds} s, in which the contestants took turns. The slowest round and the fastest of a line differ
by ${Math.min(...spreads)} to ${Math.max(...spreads)} % of its median. The table is of revision 2.0; the picture has 1.0 as well.

${image('ratios', 'The share of the rate of PostgreSQL alone that is left')}
## Latency

Requests are sent at a fixed rate, a share of the best one above. Each is timed from the moment at which it should have been
sent, so a slow answer also counts for the requests that had to wait for it.

${image('latency', 'The 99th percentile of the latency at three rates')}

${markdownTable(
  ['page', 'mode', 'share', 'pages/s', 'p50 ms', 'p99 ms', 'p99.9 ms'],
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

## What a page reads

Blocks of 8 KiB that the statement of a page of 1,000 looked at, in memory or not, and in brackets the rows that it read in vain,
because they belong to another state. The statements took ${Math.min(...statements).toFixed(1)} to ${Math.max(...statements).toFixed(1)} ms.

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

- **PostgreSQL alone** is pgbench, over TCP, with as many connections and the very statement that the service sends, prepared. It
  does what no service can leave out, and nothing else.
- **Octavo** is the service as it is published, with its default options: it checks access tokens, opens and seals page tokens,
  writes the audit and a log. Only requests may wait longer than by default, because 64 clients that never pause are an overload,
  and most of them would be refused. _2 processes_ on two ports share the connections evenly.
- **fastify + pg** are two services in \`proofs/harness/peers\`, written as a team would write them by hand: one uses keyset
  pagination, the other OFFSET, at nine tenths of the collection. **PostGraphile** runs as its documentation recommends for
  production, with its own cursors. All three read a plain table with a column for each property. None of them authenticates,
  audits or has snapshots.
- The pages of each contestant were checked, at five depths, before its rate was measured. They are spread evenly over the
  collection, which fits into memory. Pages of 100 are walked, each with the token or key of the one before, from 256 positions;
  pages of 1,000 are those at the positions alone, because wrk would take an eighth of the machine to read the next token. For Octavo
  that is the harder case: a process opens faster what it has just sealed.
- Every service was under load for some seconds first. The load generators run on the same machine and take their part of it. The
  database does not wait for its disk, which matters only for writes.
- Not measured: TLS, a network, a collection larger than memory, filters (see [search costs](search-costs.md)), writes while reading
  (see \`npm run prove -- store\`), and more than one machine.
`
}

const image = (name: string, alternative: string): string => `![${alternative}](speed/${name}.svg)\n`

/** A column for each value, so that a line that stays flat can be read as one. */
function flatSection(title: string, chart: string, points: readonly FlatPoint[], xName: string): string {
  const cell = ({ buffers, rowsRemoved }: FlatPoint['latest']) =>
    rowsRemoved === 0 ? number(buffers) : `${number(buffers)} (${number(rowsRemoved)})`
  return `### ${title}

${image(chart, `Blocks read by a page: ${title.toLowerCase()}`)}
${markdownTable(
  [xName, ...points.map(({ x }) => number(x))],
  (['latest', 'snapshot'] as const).map((mode) => [mode, ...points.map((point) => cell(point[mode]))]),
)}
`
}

function hotSection(walks: readonly HotWalk[]): string {
  const versions = [...new Set(walks.map((walk) => walk.versions))]
  const names = [...new Set(walks.map(({ name }) => name))]
  const timesOf = (wanted: string, count: number): string => {
    const walk = walks.find(({ name, versions: has }) => name === wanted && has === count)
    return walk === undefined ? '' : (walk.snapshot.blocks / walk.latest.blocks).toFixed(2)
  }
  return `### Hot objects

The blocks that a snapshot walk reads, as a multiple of those of a latest walk, over 6,000 objects that change all the time, a fifth
of them during the walk ([decision 31](../decisions/0031-history-in-epochs.md)).

${markdownTable(
  ['versions of each', ...versions.map(number)],
  names.map((name) => [name, ...versions.map((count) => timesOf(name, count))]),
)}
`
}

const manySection = (title: string, chart: string, points: readonly ManyPoint[]): string => `### ${title}

${image(chart, `Time of a page: ${title.toLowerCase()}`)}
${markdownTable(
  [chart, ...points.map(({ x }) => number(x))],
  [
    ['a page of the newest, ms', ...points.map(({ milliseconds }) => milliseconds.toFixed(2))],
    ['of the only one, ms', ...points.map(({ onlyMilliseconds }) => onlyMilliseconds.toFixed(2))],
  ],
)}
`
