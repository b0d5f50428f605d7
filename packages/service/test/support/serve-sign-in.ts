// The service with sign-in for the official clients, in front of a real provider.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { testAudience } from './identity-provider.ts'
import { startLoginProvider, type LoginProvider } from './login-provider.ts'
import { serveOnFreshDatabase, type PromisedService } from './serve-on-fresh-database.ts'
import { grantTo } from './test-access.ts'

export const appUri = 'http://localhost:5173/auth/callback'
export const otherAppUri = 'https://other.example.com/back?tenant=1'
export const appId = 'app'
export const machineId = 'machine'
export const machineSecret = 'a-secret-of-a-test'

export interface SignInService extends PromisedService {
  readonly provider: LoginProvider
  readonly callback: string
}

/** `mira` and the machine may read the ontology. */
export async function serveSignIn(
  environment: Readonly<Record<string, string>> = {},
): Promise<SignInService> {
  const provider = await startLoginProvider()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = await serveOnFreshDatabase({
    port,
    environment: {
      OCTAVO_OIDC_ISSUER: provider.issuer,
      OCTAVO_OIDC_AUDIENCE: testAudience,
      OCTAVO_OAUTH_REDIRECT_URIS: `${appUri},${otherAppUri}`,
      OCTAVO_OAUTH_PUBLIC_URL: url,
      OCTAVO_CORS_ORIGINS: 'http://localhost:5173',
      ...environment,
    },
  })
  const callback = `${url}/multipass/api/oauth2/callback`
  provider.open(url, [
    {
      client_id: appId,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [callback],
      application_type: 'native',
      id_token_signed_response_alg: 'ES256',
    },
    {
      client_id: machineId,
      client_secret: machineSecret,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      id_token_signed_response_alg: 'ES256',
    },
  ])
  for (const subject of ['mira', machineId]) {
    await grantTo(service.store, subject, service.ontology.rid, 'reader')
  }
  return {
    ...service,
    provider,
    callback,
    close: async () => {
      await service.close()
      await provider.close()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
