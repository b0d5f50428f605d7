import type { Parameters } from '../../base/sql-query.ts'
import { keyOf, type Change, type Merge } from './change.ts'
import { jsonTexts } from './text-list.ts'

export const changeColumns = ['pk', 'deleted', 'scalars', 'others'] as const

/**
 * The changes as arrays, one for each of `changeColumns` and then one for each of the type's columns, to be unnested side by
 * side. Puts come first, and only they have entries in all arrays of contents: when unnested, the shorter arrays end in nulls.
 * No key occurs twice, so the order of the changes does not matter. A merge, which occurs only among staged changes, has its JSON
 * object as scalars and its line as others.
 */
export function changeArrays(
  changes: readonly (Change | Merge)[],
  types: { readonly key: string; readonly columns: readonly string[] },
  parameters: Parameters,
): readonly string[] {
  const puts = changes.flatMap((change) => (change.kind === 'put' ? [change.object] : []))
  const merges = changes.filter((change) => change.kind === 'merge')
  const deletes = changes.filter(({ kind }) => kind === 'delete')
  return [
    parameters.add([...puts.map(({ key }) => key), ...[...merges, ...deletes].map(keyOf)], types.key),
    parameters.add([...[...puts, ...merges].map(() => false), ...deletes.map(() => true)], 'boolean[]'),
    jsonTexts(
      [...puts.map(({ scalars }) => scalars), ...merges.map(({ properties }) => properties)],
      parameters,
    ),
    jsonTexts([...puts.map(({ others }) => others), ...merges.map(({ line }) => String(line))], parameters),
    ...types.columns.map((columnType, i) =>
      parameters.add(
        puts.map(({ columns }) => columns[i] ?? null),
        columnType,
      ),
    ),
  ]
}
