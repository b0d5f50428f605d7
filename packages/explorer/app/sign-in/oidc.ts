// Sign-in at the identity provider: authorization code with PKCE (RFC 7636), in this tab, without a second window.
interface Provider {
  readonly issuer: string
  readonly clientId: string
  readonly scopes: string
  readonly audience: string
}

interface Endpoints {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
}

interface Begun {
  readonly state: string
  readonly verifier: string
  /** Where to go back to, as the query of the address. */
  readonly search: string
}

const storedAs = 'octavo.sign-in'

const here = (): string => `${location.origin}/`

/** Undefined if the service accepts no other tokens than its own. */
export async function identityProvider(): Promise<Provider | undefined> {
  const answer = await fetch('/explorer/sign-in.json')
  const { oidc } = (await answer.json()) as { readonly oidc?: Provider }
  return oidc
}

const endpointsOf = async ({ issuer }: Provider): Promise<Endpoints> => {
  const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  return (await answer.json()) as Endpoints
}

export async function leaveToSignIn(provider: Provider): Promise<void> {
  const { authorization_endpoint: endpoint } = await endpointsOf(provider)
  const begun: Begun = { state: randomText(), verifier: randomText(), search: location.search }
  sessionStorage.setItem(storedAs, JSON.stringify(begun))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier))
  const target = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: here(),
    scope: provider.scopes,
    state: begun.state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    // RFC 8707 has the one, providers from before it have the other; each ignores what it does not know.
    resource: provider.audience,
    audience: provider.audience,
  }
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value)
  location.assign(target)
}

/**
 * If the provider has sent the browser back, the token, or why there is none. The code is out of the address before anything else
 * happens.
 */
export async function returnFromSignIn(): Promise<{ token: string } | { problem: string } | undefined> {
  const answer = new URLSearchParams(location.search)
  const begun = JSON.parse(sessionStorage.getItem(storedAs) ?? 'null') as Begun | null
  if (begun === null || answer.get('state') !== begun.state) return undefined
  sessionStorage.removeItem(storedAs)
  history.replaceState(null, '', begun.search === '' ? '/' : begun.search)
  const code = answer.get('code')
  if (code === null) {
    return {
      problem: `The identity provider answered: ${answer.get('error_description') ?? answer.get('error') ?? 'no code'}.`,
    }
  }
  const provider = await identityProvider()
  if (provider === undefined) return undefined
  const { token_endpoint: endpoint } = await endpointsOf(provider)
  const exchanged = await fetch(endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: here(),
      client_id: provider.clientId,
      code_verifier: begun.verifier,
      resource: provider.audience,
    }),
  })
  const { access_token: token } = (await exchanged.json()) as { readonly access_token?: string }
  return token === undefined
    ? {
        problem:
          'The identity provider gave no access token. Check that the explorer is a public client there, with PKCE.',
      }
    : { token }
}

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
