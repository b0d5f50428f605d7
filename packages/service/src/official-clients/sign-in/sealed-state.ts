// Where a person returns to after signing in, sealed into the `state` that the identity provider sends back: any instance can
// open it, and none keeps anything.
import type { PageTokenKey } from '../../config/page-token-key.ts'
import { byteSealer } from '../../read/token/byte-sealer.ts'

export interface Return {
  readonly redirectUri: string
  /** The state of the app; undefined if it sent none. */
  readonly state: string | undefined
}

export interface SealedStates {
  readonly seal: (to: Return) => string
  /** Returns undefined for any text that was not sealed here for this, or too long ago. */
  readonly open: (sealed: string) => Return | undefined
}

/** As long as a person may take to sign in. */
export const signInSeconds = 600

export function sealedStates(
  keys: readonly [PageTokenKey, ...PageTokenKey[]],
  now: () => Date,
): SealedStates {
  // A separate kind of token: no token that a caller was given can be used as a state, nor a state as a token.
  const sealer = byteSealer(keys, { firstByte: 4, name: 'octavo sign-in state' })
  const seconds = (): number => Math.floor(now().getTime() / 1_000)
  return {
    seal: ({ redirectUri, state }) =>
      sealer.seal(Buffer.from(JSON.stringify({ redirectUri, state, sealedAt: seconds() }))),
    open: (sealed) => {
      const bytes = sealer.open(sealed)
      if (bytes === undefined) return undefined
      // Authenticated, so an instance of this service has written it.
      const { sealedAt, ...to } = JSON.parse(bytes.toString()) as Return & { readonly sealedAt: number }
      return seconds() - sealedAt > signInSeconds
        ? undefined
        : { redirectUri: to.redirectUri, state: to.state }
    },
  }
}
