// What this process remembers of access tokens and grants.
//
// Every change of either raises a version in the database, in the same transaction. The version is read at most every
// `checkAfterMs`; when it has changed, everything remembered is forgotten. So a token or a grant that is taken away
// stops working that much later at the most, on every instance.
import type { GrantRole } from '@octavo/protocol'
import type { Caller } from './caller.ts'
import { recentlyUsed, type RecentlyUsed } from '../memory/recently-used.ts'
import { whenThere, type Soon } from '../memory/soon.ts'

export interface KnownToken {
  readonly caller: Caller
  /** In milliseconds; nothing for a token that does not end by itself. */
  readonly expiresAt: number | undefined
}

/** By the rid of the ontology. */
type Roles = ReadonlyMap<string, GrantRole>
type Principals = Pick<Caller, 'subject' | 'groups'>

/** Reads the database; nothing is remembered there. */
export interface AccessSource {
  readonly version: () => Promise<string>
  /** Nothing for a token that is unknown or revoked. */
  readonly token: (hash: string) => Promise<KnownToken | undefined>
  readonly roles: (principals: Principals) => Promise<Roles>
}

export interface Access {
  readonly token: (hash: string) => Soon<KnownToken | undefined>
  readonly roles: (principals: Principals) => Soon<Roles>
  /** Looks now whether anything has changed: before somebody is told that they may not. */
  readonly recheck: () => Promise<void>
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
  readonly tokens: RecentlyUsed<KnownToken>
  readonly roles: RecentlyUsed<Roles>
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
        : { version, checkedAt, tokens: recentlyUsed(mostTokens), roles: recentlyUsed(mostCallers) }
    return remembered
  }

  const checkOnce = (): Promise<Remembered> => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  const fresh = (): Soon<Remembered> =>
    remembered !== undefined && elapsed() - remembered.checkedAt < checkAfterMs ? remembered : checkOnce()

  const askForToken = async (tokens: Remembered['tokens'], hash: string): Promise<KnownToken | undefined> => {
    const found = await source.token(hash)
    // What was not found is not remembered: guesses would push out the tokens that are in use.
    if (found !== undefined) tokens.set(hash, found)
    return found
  }
  const askForRoles = async (
    roles: Remembered['roles'],
    key: string,
    principals: Principals,
  ): Promise<Roles> => {
    const found = await source.roles(principals)
    roles.set(key, found)
    return found
  }

  return {
    recheck: async () => {
      // One that is under way may have asked before the change.
      await checking
      await checkOnce()
    },
    token: (hash) => whenThere(fresh(), ({ tokens }) => tokens.get(hash) ?? askForToken(tokens, hash)),
    roles: ({ subject, groups }) => {
      const key = JSON.stringify([subject, ...groups])
      return whenThere(fresh(), ({ roles }) => roles.get(key) ?? askForRoles(roles, key, { subject, groups }))
    },
  }
}
