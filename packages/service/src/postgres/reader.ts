import type { SqlQuery } from '../base/sql-query.ts'

export type Row = Readonly<Record<string, string | null>>

export interface Reader {
  /** Every column is returned as text, exactly as PostgreSQL writes it. */
  readonly rows: (query: SqlQuery) => Promise<readonly Row[]>
}

export interface Transaction extends Reader {
  /** Runs a statement that changes rows; returns how many it changed. */
  readonly count: (query: SqlQuery) => Promise<number>
  /** Runs a statement without parameters, such as one that creates a table. */
  readonly run: (text: string) => Promise<void>
  /** Runs COPY ... FROM STDIN with these chunks as its input. */
  readonly copyIn: (text: string, chunks: Iterable<Buffer>) => Promise<void>
  /** From here on, the transaction's statements have no time-out, neither the server's nor ours. */
  readonly takeTime: () => Promise<void>
}
