// A connection to a database that is not ours, in which objects are copied. Every value is a text.
import { connectElsewhere, failureOf, type SourceRow } from './source-client.ts'

export interface CopySession {
  readonly query: (text: string, values: readonly (string | null)[]) => Promise<readonly SourceRow[]>
  /** The rows of a query, some at a time. Only inside a transaction. */
  readonly read: (text: string) => AsyncIterable<readonly SourceRow[]>
  readonly end: () => Promise<void>
}

const rowsAtATime = 1_000

export async function connectForCopy(databaseUrl: string): Promise<CopySession> {
  const client = await connectElsewhere(databaseUrl)
  const types = { getTypeParser: () => String }
  const query: CopySession['query'] = async (text, values) => {
    try {
      return (await client.query<SourceRow>({ text, values: [...values], types })).rows
    } catch (error) {
      throw failureOf(error)
    }
  }
  return {
    query,
    read: async function* (text) {
      await query(`declare copied no scroll cursor for ${text}`, [])
      for (;;) {
        const rows = await query(`fetch ${rowsAtATime} from copied`, [])
        if (rows.length === 0) break
        yield rows
      }
      await query('close copied', [])
    },
    end: () => client.end().catch(() => {}),
  }
}
