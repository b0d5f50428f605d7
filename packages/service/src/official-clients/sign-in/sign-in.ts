import type { FastifyRequest } from 'fastify'
import type { ServeOptions } from '../../config/options.ts'
import { providerEndpoints, type ProviderEndpoints } from './provider-endpoints.ts'
import { callerShare } from '../../guard/throttle/caller-share.ts'
import { slowedGuesses, type SlowedGuesses } from './slowed-guesses.ts'
import type { WingSources } from '../../http/wing.ts'
import { callerAddress, networkOf } from '../../http/caller-address.ts'
import { askProvider, unreachable, type AskProvider } from './ask-provider.ts'
import { sealedStates, type SealedStates } from './sealed-state.ts'

export const signInPath = '/multipass/api/oauth2'

export interface SignIn {
  readonly issuer: string
  readonly audience: string
  /** What the provider is asked for, whatever an app asks for. */
  readonly scopes: readonly string[]
  /** To these, and to nothing else, people return. */
  readonly redirectUris: ReadonlySet<string>
  /** The only address of which the provider knows. */
  readonly callback: string
  readonly states: SealedStates
  readonly endpoints: () => Promise<ProviderEndpoints>
  readonly ask: AskProvider
  readonly guesses: SlowedGuesses
  readonly networkOf: (request: FastifyRequest) => string
  /** Refuses a request of a network that sends too many. */
  readonly takeShare: (network: string) => void
  readonly now: () => Date
}

/** No person signs in this often, but a whole office may have one address. */
const share = { perSecond: 5, burst: 100, mostCallers: 10_000 }

/** Wrong secrets and codes of one network before its next ones wait. */
const failuresPerMinute = 10

/** Undefined if no app may use it. */
export function openSignIn(
  options: ServeOptions,
  { now, elapsed, observe }: Omit<WingSources, 'pages'>,
): SignIn | undefined {
  if (options.oauthRedirectUris.length === 0) return undefined
  const endpoints = providerEndpoints({ issuer: options.oidcIssuer, elapsed })
  return {
    issuer: options.oidcIssuer,
    audience: options.oidcAudience,
    scopes: options.oauthScopes,
    redirectUris: new Set(options.oauthRedirectUris),
    callback: `${options.oauthPublicUrl.replace(/\/$/, '')}${signInPath}/callback`,
    states: sealedStates(options.pageTokenKeys, now),
    endpoints: () =>
      endpoints().catch((error: unknown) => {
        throw unreachable(error)
      }),
    ask: askProvider(),
    guesses: slowedGuesses({
      perMinute: failuresPerMinute,
      mostNetworks: share.mostCallers,
      pauseMilliseconds: 1_000,
      mostWaiting: 100,
      elapsed,
      observe,
    }),
    networkOf: (request) => networkOf(callerAddress(request.raw, options.trustedProxyHops)),
    takeShare: callerShare({ ...share, elapsed }),
    now,
  }
}
