import type { Parameters } from '../../base/sql-query.ts'
import { keyOf, type Change } from './change.ts'
import { jsonTexts } from './text-list.ts'

export const changeColumns = ['pk', 'deleted', 'scalars', 'others'] as const

/**
 * The changes as arrays, one for each of `changeColumns` and then one for each of the type's columns, to be unnested side by
 * side. Puts come first, and only they have entries in the arrays of contents: when unnested, the shorter arrays end in nulls.
 * No key occurs twice, so the order of the changes does not matter.
 */
export function changeArrays(
  changes: readonly Change[],
  types: { readonly key: string; readonly columns: readonly string[] },
  parameters: Parameters,
): readonly string[] {
  const puts = changes.flatMap((change) => (change.kind === 'put' ? [change.object] : []))
  const deletes = changes.filter(({ kind }) => kind === 'delete')
  return [
    parameters.add([...puts.map(({ key }) => key), ...deletes.map(keyOf)], types.key),
    parameters.add([...puts.map(() => false), ...deletes.map(() => true)], 'boolean[]'),
    jsonTexts(
      puts.map(({ scalars }) => scalars),
      parameters,
    ),
    jsonTexts(
      puts.map(({ others }) => others),
      parameters,
    ),
    ...types.columns.map((columnType, i) =>
      parameters.add(
        puts.map(({ columns }) => columns[i] ?? null),
        columnType,
      ),
    ),
  ]
}
