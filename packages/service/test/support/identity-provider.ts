// A real OpenID Connect provider on this machine: with its own discovery, token endpoint and keys.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import { Provider, type JWK } from 'oidc-provider'

export const testAudience = 'urn:octavo:test'

interface ProviderKey {
  readonly id: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

/** Undefined claims are left out. */
export type Claims = { readonly [Name in keyof JWTPayload]: JWTPayload[Name] | undefined }

export interface IdentityProvider {
  readonly issuer: string
  /** A token as the provider issues it to a client, for the client's own account. */
  readonly issue: (client: string, scope: string) => Promise<string>
  /** Signed with the provider's current key: what it would issue with other claims. */
  readonly sign: (claims: Claims, header?: { readonly kid?: string }) => Promise<string>
  readonly publicKey: () => JWK
  /** From now on signs only with a new key, which may have the id of the one before. */
  readonly rotate: (as?: { readonly keepsId?: boolean }) => Promise<void>
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

export interface IdentityProviderOptions {
  /** The names of clients, each with its own account, and the additional claims of its tokens. */
  readonly clients: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
}

const secret = 'a-secret-of-a-test'

export async function startIdentityProvider({ clients }: IdentityProviderOptions): Promise<IdentityProvider> {
  let server: Server | undefined
  let port = 0
  let made = 0
  const newKey = async (given?: string): Promise<ProviderKey> => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const id = given ?? `key-${(made += 1)}`
    return {
      id,
      privateKey,
      jwk: { ...(await exportJWK(privateKey)), kid: id, use: 'sig', alg: 'ES256' },
    }
  }
  let key = await newKey()
  const issuer = (): string => `http://127.0.0.1:${port}`

  const start = async (): Promise<void> => {
    const listening = createServer()
    listening.listen(port, '127.0.0.1')
    await once(listening, 'listening')
    port = (listening.address() as AddressInfo).port
    const provider = new Provider(issuer(), {
      clients: Object.keys(clients).map((client) => ({
        client_id: client,
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      })),
      jwks: { keys: [key.jwk] },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({
            scope:
              'api:ontologies-read api:read-data api:ontologies-write api:ontologies-admin api:tokens-admin',
            audience: testAudience,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
      extraTokenClaims: (_, token) => ({ ...clients[token.clientId ?? ''] }),
    })
    const answer = provider.callback()
    listening.on('request', (request, response) => void answer(request, response))
    server = listening
  }
  const stop = async (): Promise<void> => {
    const running = server
    if (running === undefined) return
    server = undefined
    running.close()
    running.closeAllConnections()
    await once(running, 'close')
  }
  await start()

  return {
    issuer: issuer(),
    issue: async (client, scope) => {
      const response = await fetch(`${issuer()}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: testAudience, scope }),
      })
      const text = await response.text()
      const { access_token: token } = JSON.parse(text) as { access_token?: string }
      if (token === undefined) throw new Error(`The identity provider answered ${text}.`)
      return token
    },
    sign: (claims, header = {}) =>
      new SignJWT({ ...claims } as JWTPayload)
        .setProtectedHeader({ alg: 'ES256', kid: key.id, ...header })
        .sign(key.privateKey),
    publicKey: () => {
      const { kty, crv, x, y } = key.jwk as Record<string, string>
      return { kty, crv, x, y }
    },
    rotate: async ({ keepsId = false } = {}) => {
      await stop()
      key = await newKey(keepsId ? key.id : undefined)
      await start()
    },
    stop,
    start,
  }
}
