// What this process remembers of access tokens and grants.
//
// Every change of either raises a version in the database, in the same transaction. The version is read at most every
// `checkAfterMs`; when it has changed, everything remembered is forgotten. So a token or a grant that is taken away
// stops working that much later at the most, on every instance. A version has a tag, and what is read comes with the version it
// was read under, so that a change that was lost in a failover leaves nothing behind here.
import type { GrantRole } from '@octavo/protocol'
import type { Caller } from './caller.ts'
import { lruCache, type LruCache } from '../../base/lru-cache.ts'

export interface KnownToken {
  readonly caller: Caller
  /** In milliseconds; nothing for a token that does not end by itself. */
  readonly expiresAt: number | undefined
}

/** By the rid of the ontology. */
type Roles = ReadonlyMap<string, GrantRole>
type Principals = Pick<Caller, 'subject' | 'groups'>

/** An answer of the database, with the version that it belongs to, read by one statement. */
export interface ReadAccess<Value> {
  readonly version: string
  readonly value: Value
}

/** Reads the database; nothing is remembered there. A version is a number and its tag. */
export interface AccessSource {
  readonly version: () => Promise<string>
  /** Nothing for a token that is unknown or revoked. */
  readonly token: (hash: string) => Promise<ReadAccess<KnownToken | undefined>>
  readonly roles: (principals: Principals) => Promise<ReadAccess<Roles>>
}

export interface Access {
  /** `beforeLookup` is asked where nothing is remembered of the token, neither that it exists nor that it does not. */
  readonly token: (hash: string, beforeLookup?: () => Promise<void> | void) => Promise<KnownToken | undefined>
  readonly roles: (principals: Principals) => Promise<Roles>
  /** Looks now whether anything has changed: before somebody is told that they may not. */
  readonly recheck: () => Promise<void>
  /** What is remembered may be of a history that was lost. */
  readonly forget: () => void
}

export interface AccessOptions {
  readonly source: AccessSource
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number
  readonly checkAfterMs?: number
}

interface Remembered {
  readonly version: string
  readonly checkedAt: number
  readonly tokens: LruCache<KnownToken>
  /** Of no token, as long as the version is the same. Apart from the others: guesses must not push out what is in use. */
  readonly unknown: LruCache<true>
  readonly roles: LruCache<Roles>
}

const mostTokens = 10_000
const mostCallers = 10_000

export function openAccess({ source, elapsed, checkAfterMs = 500 }: AccessOptions): Access {
  let remembered: Remembered | undefined
  let checking: Promise<Remembered> | undefined

  const check = async (): Promise<Remembered> => {
    // Before the question, so that a slow answer makes what it says older, not younger.
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

  /** Under another version it is true all the same, and what was remembered may not be. */
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
    recheck: async () => {
      // One that is under way may have asked before the change.
      await checking
      await checkOnce()
    },
    forget: () => {
      remembered = undefined
    },
    token: async (hash, beforeLookup) => {
      const known = await fresh()
      const token = known.tokens.get(hash)
      if (token !== undefined || known.unknown.get(hash)) return token
      await beforeLookup?.()
      return askForToken(known, hash)
    },
    roles: async ({ subject, groups }) => {
      const key = JSON.stringify([subject, ...groups])
      const known = await fresh()
      return known.roles.get(key) ?? askForRoles(known, key, { subject, groups })
    },
  }
}
