// A real OpenID Connect provider with a form to sign in, for a browser: every name is accepted, and is the subject.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider, type ClientMetadata } from 'oidc-provider'
import { testAudience } from './identity-provider.ts'

export interface LoginProvider {
  readonly issuer: string
  readonly clientId: string
  /** Only now is the address of the service known. Other clients than the explorer may be added. */
  readonly open: (serviceUrl: string, others?: readonly ClientMetadata[]) => void
  readonly close: () => Promise<void>
}

const clientId = 'explorer'

export async function startLoginProvider(): Promise<LoginProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'login', use: 'sig', alg: 'ES256' }
  return {
    issuer,
    clientId,
    open: (serviceUrl, others = []) => {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            token_endpoint_auth_method: 'none',
            grant_types: ['authorization_code'],
            response_types: ['code'],
            redirect_uris: [`${serviceUrl}/`],
            application_type: 'native',
            id_token_signed_response_alg: 'ES256',
          },
          ...others,
        ],
        jwks: { keys: [key] },
        cookies: { keys: ['a-key-of-a-test'] },
        clientBasedCORS: () => true,
        features: {
          devInteractions: { enabled: true },
          clientCredentials: { enabled: true },
          revocation: { enabled: true },
          resourceIndicators: {
            enabled: true,
            getResourceServerInfo: () => ({
              scope: 'api:ontologies-read',
              audience: testAudience,
              accessTokenFormat: 'jwt',
              jwt: { sign: { alg: 'ES256' } },
            }),
          },
        },
      })
      const answer = provider.callback()
      server.on('request', (request, response) => void answer(request, response))
    },
    close: async () => {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
