// The rates as a page shows them: a line for each contestant, a column for each number of connections.
import type { Rate } from './measure-rates.ts'

const revision = '2.0'

const shown = (rates: readonly Rate[]): readonly Rate[] =>
  rates.filter(({ kind }) => kind.revision === revision)

const connectionsOf = (rates: readonly Rate[]): readonly number[] =>
  [...new Set(shown(rates).map(({ connections }) => connections))].toSorted((a, b) => a - b)

export const pageRateHeader = (rates: readonly Rate[]): readonly string[] => [
  'page',
  'mode',
  'contestant',
  ...connectionsOf(rates).map((connections, i) =>
    i === 0 ? `${connections} connections` : String(connections),
  ),
  'service CPU s',
  'database CPU s',
]

export function pageRateRows(rates: readonly Rate[]): readonly (readonly string[])[] {
  const lineOf = ({ kind, name }: Rate) => JSON.stringify([kind.pageSize, kind.mode, name])
  const lines = Map.groupBy(shown(rates), lineOf)
  return [...lines.values()].flatMap((line) => {
    const [first] = line.toSorted((a, b) => a.connections - b.connections)
    if (first === undefined) return []
    return [
      [
        first.kind.pageSize.toLocaleString('en'),
        first.kind.mode,
        first.name,
        ...connectionsOf(rates).map((connections) =>
          cell(line.find((rate) => rate.connections === connections)),
        ),
        isAlone(first) ? '' : first.serviceCpuSeconds.toFixed(2),
        first.databaseCpuSeconds.toFixed(2),
      ],
    ]
  })
}

const isAlone = ({ name }: Rate): boolean => name.startsWith('PostgreSQL')

function cell(rate: Rate | undefined): string {
  if (rate === undefined) return ''
  const objects = Math.round(rate.objectsPerSecond).toLocaleString('en')
  return isAlone(rate) ? objects : `${objects} (${rate.ratio.toFixed(rate.ratio < 0.1 ? 3 : 2)})`
}
