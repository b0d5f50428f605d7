// The read endpoints over real HTTP for callers with any claims that a test chooses, without an identity provider.
import { operationRoutes } from '../../src/http/operation.ts'
import { readOperations } from '../../src/http/routes/service-routes.ts'
import { createHttpServer } from '../../src/http/create-http-server.ts'
import type { Store } from '../../src/open-store.ts'
import type { Claims } from '../../src/catalog/filter/policy-filter.ts'
import { pageServiceOn } from './page-service-on.ts'
import type { TestService } from './start-test-service.ts'

export interface ClaimsService {
  /** Always the same subject, so that a walk can continue with other claims. */
  readonly as: (claims: Claims) => Pick<TestService, 'fetch'>
  readonly close: () => Promise<void>
}

export async function serveClaims(store: Store): Promise<ClaimsService> {
  const pages = pageServiceOn(store)
  const app = createHttpServer({
    corsOrigins: [],
    authenticate: async ({ authorization }) => ({
      subject: 'somebody',
      groups: [],
      rights: new Set(['read']),
      claims: readClaims(authorization),
    }),
    routes: operationRoutes(pages, readOperations(pages)),
    observe: () => {},
    explainFailure: () => undefined,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    as: (claims) => ({
      fetch: (path, init = {}) =>
        fetch(url + path, { ...init, headers: { ...init.headers, authorization: writeClaims(claims) } }),
    }),
    close: () => app.close(),
  }
}

const writeClaims = (claims: Claims): string =>
  `Bearer ${Buffer.from(JSON.stringify(claims)).toString('base64url')}`

const readClaims = (authorization = ''): Claims =>
  JSON.parse(Buffer.from(authorization.replace('Bearer ', ''), 'base64url').toString()) as Claims
