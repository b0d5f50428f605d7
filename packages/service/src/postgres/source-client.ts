// A connection to a database that is not ours, from which a table is read, or to which objects are copied (copy-client.ts).
import { copyOut } from '@octavo/pg-bytes'
import { Client } from 'pg'
import { SourceFailure } from '../base/errors/source-failure.ts'
import { serverUrls } from '../config/server-urls.ts'
import { refusalOf } from './sqlstate.ts'

const connectMs = 10_000

// The text of a value depends on these.
const settings = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601'; set extra_float_digits = 1;
set statement_timeout = 0`

export async function connectElsewhere(databaseUrl: string): Promise<Client> {
  let failure: unknown
  for (const connectionString of serverUrls(databaseUrl)) {
    const client = new Client({
      connectionString,
      application_name: 'octavo',
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    })
    // A connection that breaks ends the statement with an error too.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(settings)
      return client
    } catch (error) {
      failure = error
      await client.end().catch(() => {})
    }
  }
  throw failureOf(failure)
}

/** Nothing is written, whatever a view calls. */
async function connect(databaseUrl: string): Promise<Client> {
  const client = await connectElsewhere(databaseUrl)
  await client.query('set default_transaction_read_only = on')
  return client
}

export type SourceRow = Readonly<Record<string, string | null>>

/** The rows of statements that see one state, every value as text. */
export async function readSource<Answer>(
  databaseUrl: string,
  work: (rows: (text: string, values: readonly string[]) => Promise<readonly SourceRow[]>) => Promise<Answer>,
): Promise<Answer> {
  const client = await connect(databaseUrl)
  try {
    await client.query('begin isolation level repeatable read')
    return await work(async (text, values) => {
      const types = { getTypeParser: () => String }
      const answer = await client.query<SourceRow>({ text, values: [...values], types })
      return answer.rows
    })
  } catch (error) {
    throw failureOf(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** One statement, and so one state of the table, however long it is read. */
export async function* copyFromSource(databaseUrl: string, text: string): AsyncGenerator<Buffer> {
  const client = await connect(databaseUrl)
  try {
    yield* copyOut(client, text)
  } catch (error) {
    throw failureOf(error)
  } finally {
    await client.end().catch(() => {})
  }
}

export const failureOf = (cause: unknown): SourceFailure =>
  new SourceFailure(messageOf(cause), refusalOf(cause) ?? 'other', cause)

function messageOf(error: unknown): string {
  // Several addresses of one host failed, each in its own way.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
