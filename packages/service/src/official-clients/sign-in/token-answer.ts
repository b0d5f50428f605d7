// The answers of the identity provider, as the official clients read them.
import { decodeJwt } from 'jose'
import type { ProviderAnswer } from './ask-provider.ts'
import type { OauthError } from './token-request.ts'

export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  readonly refresh_token?: string
  readonly scope?: string
}

/** The tokens without the `id_token`, which the clients take for an error, and always with `expires_in`, which they need. */
export function tokensIn({ body }: ProviderAnswer, now: Date): TokenAnswer | OauthError {
  const { access_token: token, token_type: type, refresh_token: refresh, scope } = body
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer'
  const seconds = typeof token === 'string' ? secondsLeft(token, body['expires_in'], now) : undefined
  if (typeof token !== 'string' || !isBearer || seconds === undefined) {
    return {
      status: 502,
      error: 'server_error',
      error_description:
        'The identity provider gave no bearer token with an end: let it give out JWTs for the audience of this service.',
    }
  }
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: seconds,
    ...(typeof refresh === 'string' && { refresh_token: refresh }),
    ...(typeof scope === 'string' && { scope }),
  }
}

const mostDescriptionCharacters = 500

/** Undefined if the provider has done what it was asked for. */
export function refusalIn({ status, body }: ProviderAnswer): OauthError | undefined {
  if (status >= 200 && status < 300) return undefined
  const { error, error_description: description } = body
  return {
    status,
    error: typeof error === 'string' ? error : 'invalid_request',
    error_description:
      typeof description === 'string' ? description.slice(0, mostDescriptionCharacters) : undefined,
  }
}

/** Whether the client has sent a credential that is not valid: a secret, a code or a token. */
export const isWrongGuess = ({ error }: OauthError): boolean =>
  error === 'invalid_client' || error === 'invalid_grant' || error === 'unauthorized_client'

function secondsLeft(token: string, expiresIn: unknown, now: Date): number | undefined {
  const seconds = Math.floor(Number(expiresIn ?? Number.NaN))
  if (seconds > 0) return seconds
  try {
    const left = (decodeJwt(token).exp ?? 0) - Math.floor(now.getTime() / 1_000)
    return left > 0 ? left : undefined
  } catch {
    return undefined
  }
}
