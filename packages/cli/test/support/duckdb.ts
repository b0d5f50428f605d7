// DuckDB in this process. It has a build for most machines, and where it has none, tests that need it are skipped.
type Rows = readonly Readonly<Record<string, unknown>>[]

export interface Duckdb {
  /** Every value as text or JSON, so that none is rounded on its way to JavaScript. */
  readonly rows: (statement: string) => Promise<Rows>
  /** Runs statements and returns the rows of the last one. */
  readonly run: (statements: string) => Promise<Rows>
  readonly close: () => void
}

const loaded = await import('@duckdb/node-api').catch(() => undefined)

/** For the title of a test that is skipped without it. */
export const needingDuckdb = loaded === undefined ? ' (skipped: DuckDB has no build for this machine)' : ''

export async function openDuckdb(): Promise<Duckdb> {
  if (loaded === undefined) throw new Error(needingDuckdb)
  const instance = await loaded.DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const rows = async (statement: string): Promise<Rows> =>
    (await connection.runAndReadAll(statement)).getRowObjectsJson()
  return {
    rows,
    run: async (statements) => {
      const each = await connection.extractStatements(statements)
      let last: Rows = []
      for (let i = 0; i < each.count; i += 1) {
        const prepared = await each.prepare(i)
        last = (await prepared.runAndReadAll()).getRowObjectsJson()
      }
      return last
    },
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
