import type { SqlQuery } from '../base/sql-query.ts'

export type Row = Readonly<Record<string, string | null>>

export interface Reader {
  /** Every column arrives as text, exactly as PostgreSQL writes it. */
  readonly rows: (query: SqlQuery) => Promise<readonly Row[]>
}

export interface Transaction extends Reader {
  /** A statement without parameters, such as the making of a table. */
  readonly run: (text: string) => Promise<void>
  /** From here on its statements take as long as they need, and nobody gives them up. */
  readonly takeTime: () => Promise<void>
}
