// Where tests keep copies: a SQLite file, or a PostgreSQL database; and a user who reads a copy and changes it.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freshDatabase } from '@octavo/dev-database/vitest'
import { Client } from 'pg'

export const copyKinds = ['SQLite', 'PostgreSQL'] as const
export type CopyKind = (typeof copyKinds)[number]

export interface CopyPlace {
  /** What `--to` says. */
  readonly to: string
  readonly query: (text: string) => Promise<readonly object[]>
  readonly close: () => Promise<void>
}

export async function copyPlace(kind: CopyKind, folder: string): Promise<CopyPlace> {
  if (kind === 'SQLite') {
    const to = 'copy.sqlite'
    return {
      to,
      query: async (text) => {
        const database = new DatabaseSync(join(folder, to), { timeout: 10_000 })
        try {
          return database
            .prepare(text)
            .all()
            .map((row) => ({ ...row }))
        } finally {
          database.close()
        }
      },
      close: async () => {},
    }
  }
  const { url, drop } = await freshDatabase()
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('drop schema octavo cascade')
  // The command takes no password from its words.
  const shown = new URL(url)
  process.env['PGPASSWORD'] = shown.password
  shown.password = ''
  return {
    to: shown.href,
    query: async (text) => (await client.query<Record<string, unknown>>(text)).rows,
    close: async () => {
      await client.end()
      await drop()
    },
  }
}
