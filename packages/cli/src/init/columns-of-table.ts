// The columns of a table of PostgreSQL and the properties that they become.
import type { SourceTable } from '@octavo/service'
import { propertyNames } from '../records/property-names.ts'
import { chooseColumnType, whyLeftOut } from './choose-column-type.ts'
import type { DeclaredKeys } from './choose-key.ts'
import type { GuessedColumn } from './guessed-column.ts'
import type { Survey } from './survey-file.ts'

export interface LeftOut {
  readonly column: string
  readonly why: string
}

export const leftOutText = ({ column, why }: LeftOut): string => `Left out: ${column} (${why}).`

export interface GuessedColumns {
  readonly columns: readonly GuessedColumn[]
  readonly leftOut: readonly LeftOut[]
}

export function columnsOfTable({ columns: surveyed, rows }: Survey, table: SourceTable): GuessedColumns {
  // Named as a load names them: from all columns, also those that are left out.
  const properties = propertyNames(table.columns.map(({ name }) => name))
  const leftOut: LeftOut[] = []
  const [key, ...others] = table.primaryKey
  const columns = table.columns.flatMap((column, i) => {
    const { name, typeText } = column
    const facts = surveyed.find((each) => each.column === name)
    const why = whyLeftOut(column)
    if (facts === undefined || why !== undefined) {
      leftOut.push({ column: name, why: `${typeText}: ${why ?? 'it was not read'}` })
      return []
    }
    const chosen = chooseColumnType(facts, column, { isKey: name === key && others.length === 0 })
    if ('problem' in chosen) {
      leftOut.push({ column: name, why: `it ${chosen.problem}` })
      return []
    }
    return [{ property: properties[i] ?? name, ...chosen, missing: rows - facts.values, facts }]
  })
  return { columns, leftOut }
}

export const declaredKeys = ({ primaryKey, columns }: SourceTable): DeclaredKeys => ({
  primaryKey,
  unique: columns.filter(({ isUnique, isNotNull }) => isUnique && isNotNull).map(({ name }) => name),
})
