import type { PropertyType } from '@octavo/protocol'
import type { ColumnFacts } from './column-facts.ts'

/** A column and the property that it becomes. */
export interface GuessedColumn {
  readonly property: string
  readonly type: PropertyType
  /** Why it has this type. */
  readonly why: string
  readonly missing: number
  readonly facts: ColumnFacts
}
