import type { Rate } from './measure-rates.ts'

const header = [
  'page',
  'mode',
  'revision',
  'connections',
  'contestant',
  'pages/s',
  'objects/s',
  'spread',
  'of bare',
  'service CPU s',
  'database CPU s',
] as const

const whole = (value: number): string => Math.round(value).toLocaleString('en')

const rateRows = (rates: readonly Rate[]): readonly (readonly string[])[] =>
  rates.map(({ kind, connections, name, ...rate }) => [
    whole(kind.pageSize),
    kind.mode,
    kind.revision,
    String(connections),
    name,
    whole(rate.pagesPerSecond),
    whole(rate.objectsPerSecond),
    `${Math.round(rate.spread * 100)} %`,
    rate.ratio.toFixed(rate.ratio < 0.1 ? 3 : 2),
    name.startsWith('PostgreSQL') ? '' : rate.serviceCpuSeconds.toFixed(2),
    rate.databaseCpuSeconds.toFixed(2),
  ])

/** For a terminal. */
export function rateLines(rates: readonly Rate[]): readonly string[] {
  const rows = [header, ...rateRows(rates)]
  const widths = header.map((_title, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
