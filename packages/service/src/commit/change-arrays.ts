import type { Parameters } from '../sql/sql-query.ts'
import { keyOf, type Change } from './change.ts'
import { jsonTexts } from './text-list.ts'

export const changeColumns = ['pk', 'deleted', 'scalars', 'others'] as const

/** Changes as arrays, one for each of `changeColumns` and then of the type's columns, to be unnested side by side. */
export function changeArrays(
  changes: readonly Change[],
  types: { readonly key: string; readonly columns: readonly string[] },
  parameters: Parameters,
): readonly string[] {
  const puts = changes.map((change) => (change.kind === 'put' ? change.object : undefined))
  return [
    parameters.add(changes.map(keyOf), types.key),
    parameters.add(
      puts.map((put) => put === undefined),
      'boolean[]',
    ),
    jsonTexts(
      puts.map((put) => put?.scalars ?? null),
      parameters,
    ),
    jsonTexts(
      puts.map((put) => put?.others ?? null),
      parameters,
    ),
    ...types.columns.map((columnType, i) =>
      parameters.add(
        puts.map((put) => put?.columns[i] ?? null),
        columnType,
      ),
    ),
  ]
}
