import type { FlatPoint } from '../flat/measure-page.ts'
import type { ManyPoint } from '../flat/prove-many.ts'
import { barChart, lineChart, type LineChart } from './chart-svg.ts'
import type { SpeedReport } from './speed-report.ts'

const fewest = 4

/** By file name. */
export function speedCharts({ rates, latencies, flat, many }: SpeedReport): Readonly<Record<string, string>> {
  const contestants = [...new Set(rates.map(({ name }) => name))]
  const plain = rates.filter(
    ({ kind, connections }) => kind.mode === 'latest' && kind.revision === '2.0' && connections === fewest,
  )
  const charts = {
    'rates.svg': barChart({
      title: `Latest pages of revision 2.0, ${fewest} connections`,
      yName: 'objects a second, median of the rounds',
      bars: plain.map(({ kind, name, objectsPerSecond }) => ({
        name: `${name}, ${kind.pageSize.toLocaleString('en')}`,
        value: objectsPerSecond,
        series: contestants.indexOf(name),
      })),
    }),
    'ratios.svg': barChart({
      title: 'What is left of PostgreSQL alone',
      yName: 'ratio of the rates, median of the rounds',
      bars: rates
        .filter(({ name }) => name === 'Octavo')
        .map(({ kind, connections, ratio }) => ({
          name: `${kind.pageSize.toLocaleString('en')}, ${kind.mode}, ${kind.revision}, ${connections} connections`,
          value: ratio,
          series: kind.mode === 'latest' ? 0 : 1,
        })),
    }),
    'latency.svg': barChart({
      title: 'Latency at a fixed rate, 99th percentile',
      yName: 'milliseconds, by the share of the capacity',
      bars: latencies.map(({ kind, share, p99 }) => ({
        name: `${kind.pageSize.toLocaleString('en')}, ${kind.mode}, ${share * 100} %`,
        value: p99,
        series: kind.mode === 'latest' ? 0 : 1,
      })),
    }),
    'depth.svg': flatChart(flat.depth, {
      title: 'A page of 1,000 against its depth',
      xName: 'objects before the page',
      xScale: 'logarithmic',
    }),
    'size.svg': flatChart(flat.size, {
      title: 'A page of 1,000 against the size of the collection',
      xName: 'objects of the type',
      xScale: 'logarithmic',
    }),
    'churn.svg': flatChart(flat.churn, {
      title: 'A page of 1,000 against what has changed since',
      xName: 'percent of the objects changed since the snapshot',
      xScale: 'linear',
    }),
    'reloads.svg': flatChart(flat.reloads, {
      title: 'A page of 1,000 against what had changed before',
      xName: 'times that all objects changed, still kept, before the snapshot',
      xScale: 'linear',
    }),
    'types.svg': manyChart(many.types, 'types'),
    'ontologies.svg': manyChart(many.ontologies, 'ontologies'),
  }
  return charts
}

const flatChart = (
  points: readonly FlatPoint[],
  parts: Pick<LineChart, 'title' | 'xName' | 'xScale'>,
): string =>
  lineChart({
    ...parts,
    yName: 'blocks read',
    series: (['latest', 'snapshot'] as const).map((mode) => ({
      name: mode,
      points: points.map((point) => ({ x: point.x, y: point[mode].buffers })),
    })),
  })

const manyChart = (points: readonly ManyPoint[], many: string): string =>
  lineChart({
    title: `A page of 100 of the newest of many ${many}`,
    xName: many,
    yName: 'milliseconds, one request at a time',
    xScale: 'logarithmic',
    series: [
      { name: 'the newest', points: points.map(({ x, milliseconds }) => ({ x, y: milliseconds })) },
      { name: 'the only one', points: points.map(({ x, onlyMilliseconds }) => ({ x, y: onlyMilliseconds })) },
    ],
  })
