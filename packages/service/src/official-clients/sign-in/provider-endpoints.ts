// Where an identity provider signs people in and gives out tokens, as its discovery document says.
import { addressIn, readDiscovery, type Discovery } from '../../guard/auth/discovery.ts'

export interface ProviderEndpoints {
  readonly authorization: string
  readonly token: string
  /** Undefined for a provider that revokes no tokens. */
  readonly revocation: string | undefined
}

export interface ProviderEndpointsOptions {
  readonly issuer: string
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

const refreshAfterMs = 300_000

/** The endpoints, cached. While the provider is down, the cached ones are returned: the next request to it says so better. */
export function providerEndpoints({
  issuer,
  elapsed,
}: ProviderEndpointsOptions): () => Promise<ProviderEndpoints> {
  let held: { readonly endpoints: ProviderEndpoints; readonly readAt: number } | undefined
  let coming: Promise<ProviderEndpoints> | undefined

  const read = async (): Promise<ProviderEndpoints> => {
    const known = held?.endpoints
    try {
      held = { endpoints: endpointsIn(await readDiscovery(issuer)), readAt: elapsed() }
      return held.endpoints
    } catch (error) {
      if (known === undefined) throw error
      return known
    }
  }

  return async () => {
    if (held !== undefined && elapsed() - held.readAt < refreshAfterMs) return held.endpoints
    coming ??= read().finally(() => {
      coming = undefined
    })
    return coming
  }
}

const endpointsIn = (discovery: Discovery): ProviderEndpoints => ({
  authorization: addressIn(discovery, 'authorization_endpoint'),
  token: addressIn(discovery, 'token_endpoint'),
  revocation:
    discovery['revocation_endpoint'] === undefined ? undefined : addressIn(discovery, 'revocation_endpoint'),
})
