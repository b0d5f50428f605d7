// The read endpoints over real HTTP for callers with any claims that a test chooses, without an identity provider.
import { streamTurns } from '../../src/guard/admit/stream-turns.ts'
import { clockWatch } from '../../src/read/wait/clock-watch.ts'
import { randomHex } from '../../src/guard/auth/random.ts'
import { operationRoutes } from '../../src/http/operation.ts'
import { readOperations } from '../../src/http/routes/service-routes.ts'
import { createHttpServer } from '../../src/http/create-http-server.ts'
import type { Store } from '../../src/open-store.ts'
import type { Claims } from '../../src/catalog/filter/policy-filter.ts'
import type { PageService } from '../../src/read/walk/page-service.ts'
import { sealerWith } from './reseal-token.ts'
import { testAdmission } from './test-admission.ts'
import type { TestService } from './start-test-service.ts'

export interface ClaimsService {
  /** Always the same subject, so that a walk can continue with other claims. */
  readonly as: (claims: Claims) => Pick<TestService, 'fetch'>
  readonly close: () => Promise<void>
}

export async function serveClaims(store: Store): Promise<ClaimsService> {
  const pages: PageService = {
    access: {
      roles: async () => new Map((await store.catalog.ontologies()).map(({ rid }) => [rid, 'reader'])),
      recheck: async () => {},
    },
    store,
    sealer: sealerWith(),
    admission: testAdmission(),
    retentionSeconds: 3_600,
    aggregateObjects: 100_000,
    streams: streamTurns(2, () => performance.now()),
    watch: clockWatch({ newestStates: store.newestStates, accessVersion: async () => '' }),
    requestTimeoutMs: 60_000,
    now: () => new Date(),
    newWalkId: () => randomHex(16),
    observe: () => {},
  }
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
