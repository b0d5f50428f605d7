// OIDC access tokens: JWTs that an identity provider has signed.
import { errors, jwtVerify, type JWTPayload } from 'jose'
import { ServiceError } from '../../base/errors/service-error.ts'
import { hashOfToken } from './access-token.ts'
import type { Caller } from './caller.ts'
import { ProviderUnreachable } from './discovery.ts'
import { issuerKeys, type IssuerKeysOptions, type KeySet } from './issuer-keys.ts'
import { isPrincipalName } from './principal-name.ts'
import { lruCache } from '../../base/lru-cache.ts'
import { rightsOfScopes } from './rights-of-scopes.ts'

/** Returns undefined for a token that belongs to no caller. */
export type VerifyJwt = (token: string) => Promise<Caller | undefined>

export interface JwtOptions extends Omit<IssuerKeysOptions, 'onChange'> {
  readonly audience: string
  readonly groupsClaim: string
  readonly now: () => Date
}

/** Only signatures made with a private key: with HS256, anyone who has the public key could sign; with `none`, anyone at all. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
const clockSkewSeconds = 60
const mostRemembered = 10_000
const retryAfterSeconds = 5

const form = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** A provider may also change a key and keep its id. They are fetched at most once a second, whatever is sent. */
const mayBeOfNewKey = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed

export function jwtVerification({ audience, groupsClaim, now, ...options }: JwtOptions): VerifyJwt {
  const verified = lruCache<{ readonly caller: Caller; readonly endsAt: number }>(mostRemembered)
  // A key may have been revoked: the tokens that it signed are verified again.
  const keys = issuerKeys({ ...options, onChange: verified.clear })

  const check = async (token: string, keySet: KeySet): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, keySet, {
      issuer: options.issuer,
      audience,
      algorithms,
      clockTolerance: clockSkewSeconds,
      currentDate: now(),
      requiredClaims: ['exp', 'sub'],
    })
    return payload
  }

  const payloadOf = async (token: string): Promise<JWTPayload | undefined> => {
    try {
      return await check(token, await keys.known()).catch(async (error: unknown) => {
        if (!mayBeOfNewKey(error)) throw error
        return check(token, await keys.newest())
      })
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
      // The token may well be valid: the caller should retry, not log in again.
      if (error instanceof ProviderUnreachable) {
        throw new ServiceError('Overloaded', { retryAfterSeconds }, { cause: error })
      }
      throw error
    }
  }

  return async (token) => {
    if (!form.test(token)) return undefined
    const hash = hashOfToken(token)
    const known = verified.get(hash)
    keys.refresh()
    if (known !== undefined && known.endsAt > now().getTime()) return known.caller
    const payload = await payloadOf(token)
    const caller = payload && callerOf(payload, groupsClaim)
    if (caller !== undefined) {
      verified.set(hash, { caller, endsAt: ((payload?.exp ?? 0) + clockSkewSeconds) * 1_000 })
    }
    return caller
  }
}

function callerOf(payload: JWTPayload, groupsClaim: string): Caller | undefined {
  const { sub } = payload
  if (sub === undefined || !isPrincipalName(sub)) return undefined
  return {
    subject: sub,
    groups: textsOf(payload[groupsClaim]).filter(isPrincipalName),
    rights: rightsOfScopes(scopesOf(payload)),
    claims: payload,
  }
}

/** RFC 8693 has the scopes in one text; some providers send a list as `scp`. */
const scopesOf = ({ scope, scp }: JWTPayload): readonly string[] =>
  typeof scope === 'string' ? scope.split(' ') : textsOf(scp)

const textsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string')
