// Looks up tokens together: a process sends one statement at a time, with all tokens that came while the last one was pending.
// So guesses cost the database at most one connection, however many there are.
import type { AccessSource, KnownToken, ReadAccess } from './access.ts'

/** Returns the tokens that exist and are not revoked, by their hashes. */
export type ReadTokens = (hashes: readonly string[]) => Promise<ReadAccess<ReadonlyMap<string, KnownToken>>>

type Found = Awaited<ReturnType<AccessSource['token']>>
type Lookup = { readonly hash: string } & Omit<PromiseWithResolvers<Found>, 'promise'>

export function tokenLookups(read: ReadTokens, mostAtOnce = 500): AccessSource['token'] {
  const waiting: Lookup[] = []
  let isReading = false

  const readAll = async (): Promise<void> => {
    isReading = true
    while (waiting.length > 0) await readSome(waiting.splice(0, mostAtOnce))
    isReading = false
  }
  const readSome = async (lookups: readonly Lookup[]): Promise<void> => {
    try {
      const { version, value } = await read([...new Set(lookups.map(({ hash }) => hash))])
      for (const { hash, resolve } of lookups) resolve({ version, value: value.get(hash) })
    } catch (error) {
      for (const { reject } of lookups) reject(error)
    }
  }

  return (hash) => {
    const { promise, resolve, reject } = Promise.withResolvers<Found>()
    // A pending statement is never joined: it may have been read before the token was created.
    waiting.push({ hash, resolve, reject })
    if (!isReading) void readAll()
    return promise
  }
}
