// The objects that a commit takes, as a query: those of a request are its parameters, those of a large batch are staged.
import { castType } from '../../catalog/column.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Parameters } from '../../base/sql-query.ts'
import { sizeOf, type Change } from './change.ts'
import { changeArrays, changeColumns } from './change-arrays.ts'

export interface GivenObjects {
  /** How many objects there are, and how many of them are deleted; undefined where the database has to count. */
  readonly counts?: { readonly objects: number; readonly deletes: number }
  /** Selects the key, whether it is deleted, and the contents of each object, each key once; on request also its columns. */
  readonly source: (parameters: Parameters, cast: Cast, withColumns: boolean) => string
  /** The size of the largest object. */
  readonly largest: number
  /** They are the whole contents of the type: all others are deleted. */
  readonly replaces: boolean
}

/** Converts a text to the type of a column. */
export type Cast = (text: string, type: string) => string

export const plainCast: Cast = (text, type) => `${text}::${type}`

export const givenChanges = (type: ObjectType, changes: readonly Change[]): GivenObjects => ({
  counts: {
    objects: changes.length,
    deletes: changes.filter(({ kind }) => kind === 'delete').length,
  },
  source: (parameters, cast, withColumns) => {
    const chosen = withColumns ? type.columns : []
    const arrays = changeArrays(
      changes,
      {
        key: castType(type.key.scalar, true),
        // An array of arrays must be rectangular, so each value of a many-valued column is sent as the text of its array.
        columns: chosen.map((column) => (column.many ? 'text[]' : castType(column.scalar, true))),
      },
      parameters,
    )
    const names = chosen.map((column) => column.name)
    const columns = chosen.map((column) =>
      column.many ? `${cast(column.name, castType(column.scalar, true))} as ${column.name}` : column.name,
    )
    return `select ${[...changeColumns, ...columns].join(', ')} from unnest(${arrays.join(', ')}) as given(${[...changeColumns, ...names].join(', ')})`
  },
  largest: changes.reduce((most, change) => Math.max(most, sizeOf(change)), 0),
  replaces: false,
})

interface StagedObjects {
  readonly batch: string
  readonly largest: number
  readonly replaces: boolean
}

export const givenStaged = (type: ObjectType, { batch, largest, replaces }: StagedObjects): GivenObjects => ({
  source: (parameters, cast, withColumns) => {
    const columns = (withColumns ? type.columns : []).map(
      (column, i) => `${cast(`(columns[${i + 1}])`, castType(column.scalar, column.many))} as ${column.name}`,
    )
    const key = cast('pk', castType(type.key.scalar))
    // Where the same key occurs twice, the last change wins. In key order, so that neighbours are written next to each other.
    return `select distinct on (pk) ${[`${key} as pk`, 'deleted', 'scalars', 'others', ...columns].join(', ')} from ${type.tables.staged} where batch = ${parameters.add(batch, 'text')} order by pk, ordinal desc`
  },
  largest,
  replaces,
})
