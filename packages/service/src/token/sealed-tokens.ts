// What this process has sealed and not seen again. To open such a token would tell it what it knows: whoever has the very text
// got it from here. Opening one is a tenth of what a page of 100 objects costs.
import type { TokenClaims } from './token-claims.ts'

export interface SealedTokens {
  readonly add: (token: string, claims: TokenClaims) => void
  /** Its claims, once. Nothing for a token that was sealed elsewhere, came before, or too many have been sealed since. */
  readonly take: (token: string) => TokenClaims | undefined
}

/** Some hundred bytes each: more than there are walks under way in a busy process. */
const mostTokens = 1_000

export function sealedTokens(): SealedTokens {
  let newer = new Map<string, TokenClaims>()
  let older = new Map<string, TokenClaims>()
  return {
    add: (token, claims) => {
      // All of them at once, since most have come back by then.
      if (newer.size === mostTokens) {
        older = newer
        newer = new Map()
      }
      newer.set(token, claims)
    },
    take: (token) => {
      const holder = newer.has(token) ? newer : older
      const claims = holder.get(token)
      if (claims !== undefined) holder.delete(token)
      return claims
    },
  }
}
