// What this process has sealed and not seen again. To open such a token would tell it what it knows: whoever has the very text
// got it from here. Opening one is a tenth of what a page of 100 objects costs.

export interface SealedTokens {
  readonly add: (token: string, claims: Buffer) => void
  /** Its claims, once. Nothing for a token that was sealed elsewhere, came before, or too many have been sealed since. */
  readonly take: (token: string) => Buffer | undefined
}

/** Some hundred bytes each: more than there are walks under way in a busy process. */
const mostTokens = 1_000

export function sealedTokens(): SealedTokens {
  // One character a byte: a small buffer would keep the large one that it lies in.
  let newer = new Map<string, string>()
  let older = new Map<string, string>()
  return {
    add: (token, claims) => {
      // All of them at once, since most have come back by then.
      if (newer.size === mostTokens) {
        older = newer
        newer = new Map()
      }
      newer.set(token, claims.toString('latin1'))
    },
    take: (token) => {
      const holder = newer.has(token) ? newer : older
      const claims = holder.get(token)
      if (claims === undefined) return undefined
      holder.delete(token)
      return Buffer.from(claims, 'latin1')
    },
  }
}
