import { demand, shown } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'

interface SelectedPage {
  readonly clause: string
  readonly key: string
  readonly wanted: readonly string[]
  readonly records: readonly { readonly properties: Readonly<Record<string, unknown>> }[]
  readonly exchange: Exchange
}

/** Demands only the selected properties, and always the primary key. */
export function demandOnlySelected({ clause, key, wanted, records, exchange }: SelectedPage): void {
  const allowed = new Set([key, ...wanted])
  const wrong = records.find(
    ({ properties }) => !(key in properties) || Object.keys(properties).some((name) => !allowed.has(name)),
  )
  demand(wrong === undefined, {
    clause,
    expected: `only ${[...allowed].join(', ')} in properties`,
    found: shown(wrong?.properties),
    exchange,
  })
}
