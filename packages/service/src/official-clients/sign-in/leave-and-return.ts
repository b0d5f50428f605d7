// The way of a browser: from the app to the identity provider, and from there back to the app. What an app sends is checked here,
// because the provider only sees the callback of the service.
import { ServiceError } from '../../base/errors/service-error.ts'
import { signInSeconds, type Return } from './sealed-state.ts'
import type { SignIn } from './sign-in.ts'

/** The query of a request as it was parsed: a parameter that is repeated is a list. */
export type Query = Readonly<Record<string, unknown>>

const mostStateCharacters = 1_024
const mostDescriptionCharacters = 500

/** The address to send the browser to, to sign in. */
export async function leaveToProvider(signIn: SignIn, query: Query): Promise<string> {
  const redirectUri = textOf(query, 'redirect_uri')
  // Before anything else: an address that is not in the list must never be redirected to, not even with an error.
  if (redirectUri === undefined || !signIn.redirectUris.has(redirectUri)) {
    throw invalid('redirect_uri', 'exactly one of the addresses that the option oauth-redirect-uris lists')
  }
  const clientId = textOf(query, 'client_id')
  if (clientId === undefined || !/^[\x20-\x7e]{1,255}$/.test(clientId)) {
    throw invalid('client_id', 'the client id that the app has at the identity provider')
  }
  const to = { redirectUri, state: textOf(query, 'state') }
  const refusal = refusalOf(query)
  if (refusal !== undefined) return addressOf(to, refusal)

  const { authorization } = await signIn.endpoints()
  const isOffline = (textOf(query, 'scope') ?? '').split(' ').includes('offline_access')
  return withParameters(authorization, {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: signIn.callback,
    scope: [...new Set([...signIn.scopes, ...(isOffline ? ['offline_access'] : [])])].join(' '),
    state: signIn.states.seal(to),
    code_challenge: textOf(query, 'code_challenge'),
    code_challenge_method: 'S256',
    // RFC 8707 has the one, providers from before it have the other; each ignores what it does not know.
    resource: signIn.audience,
    audience: signIn.audience,
    // OpenID Connect Core 1.0, section 11: without it, a provider ignores offline_access.
    prompt: isOffline ? 'consent' : undefined,
  })
}

/** The address to send the browser to, back to its app. The provider's `iss` stays here: the app knows only this service. */
export function returnToApp(signIn: SignIn, query: Query): string {
  const to = signIn.states.open(textOf(query, 'state') ?? '')
  // Looked up again, because the option may have changed since the person left.
  if (to === undefined || !signIn.redirectUris.has(to.redirectUri)) {
    throw invalid(
      'state',
      `the state of a sign-in that began here at most ${signInSeconds / 60} minutes ago: begin again in the app`,
    )
  }
  // RFC 9207: an answer of another provider is not passed on.
  const issuer = query['iss']
  if (issuer !== undefined && issuer !== signIn.issuer) {
    throw invalid('iss', 'the identity provider of this service: begin again in the app')
  }
  const code = textOf(query, 'code')
  if (code !== undefined) return addressOf(to, { code })
  return addressOf(to, {
    error: textOf(query, 'error') ?? 'server_error',
    error_description: textOf(query, 'error_description')?.slice(0, mostDescriptionCharacters),
  })
}

interface Refusal extends Readonly<Record<string, string>> {
  readonly error: string
  readonly error_description: string
}

/** What RFC 6749, section 4.1.2.1, tells the app about. */
function refusalOf(query: Query): Refusal | undefined {
  const refuse = (error: string, description: string): Refusal => ({ error, error_description: description })
  if (textOf(query, 'response_type') !== 'code') {
    return refuse('unsupported_response_type', 'Send response_type=code.')
  }
  if (
    textOf(query, 'code_challenge_method') !== 'S256' ||
    !/^[\w-]{43}$/.test(textOf(query, 'code_challenge') ?? '')
  ) {
    return refuse('invalid_request', 'Send a code_challenge, with code_challenge_method=S256 (RFC 7636).')
  }
  if (query['state'] !== undefined && (textOf(query, 'state')?.length ?? Infinity) > mostStateCharacters) {
    return refuse('invalid_request', `Send one state of at most ${mostStateCharacters} characters.`)
  }
  return undefined
}

const addressOf = ({ redirectUri, state }: Return, answer: Parameters): string =>
  withParameters(redirectUri, { ...answer, state })

type Parameters = Readonly<Record<string, string | undefined>>

function withParameters(address: string, parameters: Parameters): string {
  const target = new URL(address)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) target.searchParams.set(name, value)
  }
  return target.href
}

const textOf = (query: Query, name: string): string | undefined => {
  const value = query[name]
  return typeof value === 'string' ? value : undefined
}

/** Does not repeat the value: a page that shows the error must not lead anybody to the address in it. */
const invalid = (parameterId: string, expected: string): ServiceError =>
  new ServiceError('InvalidParameterValue', { parameterId, parameterValue: '', expected })
