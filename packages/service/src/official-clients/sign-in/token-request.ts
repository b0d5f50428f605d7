// What an app sends to get, renew or revoke tokens, and what of it goes to the identity provider.
import type { SignIn } from './sign-in.ts'

/** An error of OAuth (RFC 6749, section 5.2), which the clients read. */
export interface OauthError {
  readonly status: number
  readonly error: string
  readonly error_description?: string | undefined
}

export type ProviderFields = Readonly<Record<string, string | undefined>>

const refuse = (error: string, description: string): OauthError => ({
  status: 400,
  error,
  error_description: description,
})

export const isOauthError = (value: ProviderFields | OauthError): value is OauthError =>
  typeof value.status === 'number'

const notForMachines = new Set(['openid', 'offline_access'])

/** The form for the token endpoint of the provider. Fields that are not named here are not passed on. */
export function tokenForm(signIn: SignIn, sent: URLSearchParams): ProviderFields | OauthError {
  const repeated = repeatedIn(sent)
  if (repeated !== undefined) return repeated
  const client = clientIn(sent)
  const resource = signIn.audience
  const grant = sent.get('grant_type')
  switch (grant) {
    case 'authorization_code': {
      if (!signIn.redirectUris.has(sent.get('redirect_uri') ?? '')) {
        return refuse('invalid_grant', 'Send the redirect_uri that the sign-in began with.')
      }
      const code = sent.get('code')
      const verifier = sent.get('code_verifier')
      if (code === null || verifier === null) {
        return refuse('invalid_request', 'Send the code, and the code_verifier of its challenge (RFC 7636).')
      }
      const answer = { code, code_verifier: verifier, redirect_uri: signIn.callback }
      return { grant_type: grant, ...answer, ...client, resource }
    }
    case 'refresh_token': {
      const token = sent.get('refresh_token')
      if (token === null) return refuse('invalid_request', 'Send the refresh_token.')
      return { grant_type: grant, refresh_token: token, ...client, resource }
    }
    case 'client_credentials': {
      const scope = signIn.scopes.filter((name) => !notForMachines.has(name)).join(' ') || undefined
      return { grant_type: grant, scope, ...client, resource, audience: signIn.audience }
    }
    default:
      return refuse(
        'unsupported_grant_type',
        'Send the grant_type authorization_code, refresh_token or client_credentials.',
      )
  }
}

export function revocationForm(sent: URLSearchParams): ProviderFields | OauthError {
  const repeated = repeatedIn(sent)
  if (repeated !== undefined) return repeated
  const token = sent.get('token')
  if (token === null) return refuse('invalid_request', 'Send the token to revoke.')
  return { token, token_type_hint: sent.get('token_type_hint') ?? undefined, ...clientIn(sent) }
}

const clientIn = (sent: URLSearchParams): ProviderFields => ({
  client_id: sent.get('client_id') ?? undefined,
  client_secret: sent.get('client_secret') ?? undefined,
})

/** RFC 6749, section 3.2: which of two values is meant is not for us to guess. */
function repeatedIn(sent: URLSearchParams): OauthError | undefined {
  const names = [...sent.keys()]
  return new Set(names).size === names.length ? undefined : refuse('invalid_request', 'Send each field once.')
}
