// A session in a database of the user, for `octavo sync`, which keeps copies of objects in it.
import { connectForCopy, type CopySession } from '../postgres/copy-client.ts'

export type { CopySession }

/** Undefined if the database is one that Octavo itself works in: what is written there is Octavo's alone. */
export async function openCopySession(databaseUrl: string): Promise<CopySession | undefined> {
  const session = await connectForCopy(databaseUrl)
  const [own] = await session.query(
    `select 1 as found where to_regclass('octavo.ontologies') is not null`,
    [],
  )
  if (own === undefined) return session
  await session.end()
  return undefined
}
