// The cache of access tokens and grants of this process.
//
// Every change of either raises a version in the database, in the same transaction. The version is read at most every
// `checkAfterMs`; when it has changed, the whole cache is cleared. So a token or a grant that is revoked stops working at most
// that much later, on every instance. A version has a tag, and each value is read together with the version that it belongs to,
// so that a change that was lost in a failover leaves nothing behind here.
import type { GrantRole } from '@octavo/protocol'
import type { Caller } from './caller.ts'
import { lruCache, type LruCache } from '../../base/lru-cache.ts'

export interface KnownToken {
  readonly caller: Caller
  /** In milliseconds; undefined for a token that does not expire. */
  readonly expiresAt: number | undefined
}

/** The roles by the rid of the ontology. */
type Roles = ReadonlyMap<string, GrantRole>
type Principals = Pick<Caller, 'subject' | 'groups'>

/** An answer of the database, with the version that it belongs to, read by one statement. */
export interface ReadAccess<Value> {
  readonly version: string
  readonly value: Value
}

/** Reads the database, without a cache. A version is a number and its tag. */
export interface AccessSource {
  readonly version: () => Promise<string>
  /** Undefined for a token that is unknown or revoked. */
  readonly token: (hash: string) => Promise<ReadAccess<KnownToken | undefined>>
  readonly roles: (principals: Principals) => Promise<ReadAccess<Roles>>
}

export interface Access {
  readonly token: (hash: string) => Promise<KnownToken | undefined>
  readonly roles: (principals: Principals) => Promise<Roles>
  /** Changes whenever a token or a grant is changed; as this process knows it. */
  readonly version: () => Promise<string>
  /** Checks now whether anything has changed: before a caller is refused. */
  readonly recheck: () => Promise<void>
  /** Clears the cache, which may be of a history that was lost. */
  readonly forget: () => void
}

export interface AccessOptions {
  readonly source: AccessSource
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
  readonly checkAfterMs?: number
}

interface Remembered {
  readonly version: string
  readonly checkedAt: number
  readonly tokens: LruCache<KnownToken>
  /**
   * Hashes that belong to no token, as long as the version is the same. Kept apart: guesses must not evict tokens that are in
   * use.
   */
  readonly unknown: LruCache<true>
  readonly roles: LruCache<Roles>
}

const mostTokens = 10_000
const mostCallers = 10_000

export function openAccess({ source, elapsed, checkAfterMs = 500 }: AccessOptions): Access {
  let remembered: Remembered | undefined
  let checking: Promise<Remembered> | undefined

  const check = async (): Promise<Remembered> => {
    // Taken before the query, so that a slow answer counts as older, not as younger.
    const checkedAt = elapsed()
    const version = await source.version()
    remembered =
      remembered?.version === version
        ? { ...remembered, checkedAt }
        : {
            version,
            checkedAt,
            tokens: lruCache(mostTokens),
            unknown: lruCache(mostTokens),
            roles: lruCache(mostCallers),
          }
    return remembered
  }

  const checkOnce = (): Promise<Remembered> => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  const fresh = async (): Promise<Remembered> =>
    remembered !== undefined && elapsed() - remembered.checkedAt < checkAfterMs ? remembered : checkOnce()

  /** Whether the value may be cached. A value of another version is valid all the same, but the cache may not be. */
  const isStill = (known: Remembered, version: string): boolean => {
    if (version === known.version) return true
    if (remembered?.version === known.version) remembered = undefined
    return false
  }
  const askForToken = async (known: Remembered, hash: string): Promise<KnownToken | undefined> => {
    const { version, value } = await source.token(hash)
    if (!isStill(known, version)) return value
    if (value === undefined) known.unknown.set(hash, true)
    else known.tokens.set(hash, value)
    return value
  }
  const askForRoles = async (known: Remembered, key: string, principals: Principals): Promise<Roles> => {
    const { version, value } = await source.roles(principals)
    if (isStill(known, version)) known.roles.set(key, value)
    return value
  }

  return {
    version: async () => (await fresh()).version,
    recheck: async () => {
      // A pending check may have read the version before the change.
      await checking
      await checkOnce()
    },
    forget: () => {
      remembered = undefined
    },
    token: async (hash) => {
      const known = await fresh()
      const token = known.tokens.get(hash)
      if (token !== undefined || known.unknown.get(hash)) return token
      return askForToken(known, hash)
    },
    roles: async ({ subject, groups }) => {
      const key = JSON.stringify([subject, ...groups])
      const known = await fresh()
      return known.roles.get(key) ?? askForRoles(known, key, { subject, groups })
    },
  }
}
