// The whole service on a fresh database, over real HTTP, with a store to write through.
import { buildService, type Service } from '../../src/build-service.ts'
import { serveOptions } from '../../src/config/options.ts'
import { readOptions } from '../../src/config/read-options.ts'
import type { Observation } from '../../src/observe/observation.ts'
import { openTestStore, type TestStore } from './open-test-store.ts'
import { testToken, withTestAccess } from './test-access.ts'

export const testKey = (id: string, byte: number): string =>
  `${id}:${Buffer.alloc(32, byte).toString('base64url')}`

export interface TestService {
  readonly url: string
  readonly store: TestStore
  readonly observations: readonly Observation[]
  /** Sends the token of the tests, unless the headers contain another. */
  readonly fetch: (path: string, init?: TestRequest) => Promise<Response>
  readonly close: () => Promise<void>
}

export type TestRequest = Omit<RequestInit, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestServiceOptions {
  readonly databaseUrl: string
  readonly environment?: Readonly<Record<string, string>>
  /** For a test that must know the address before; any free port by default. */
  readonly port?: number
  /** For tests without a database in which to register their caller. */
  readonly withoutAccess?: true
}

export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const read = readOptions(serveOptions, [`--port=${options.port ?? 0}`], {
    OCTAVO_DATABASE_URL: options.databaseUrl,
    OCTAVO_PAGE_TOKEN_KEYS: testKey('a', 1),
    // Tests of refusals cause more refusals per minute than any real caller.
    // A machine that runs many tests at once is slow, and only tests of overload are about that.
    OCTAVO_QUEUE_MILLISECONDS: '60000',
    OCTAVO_SUBSCRIPTIONS: 'true',
    ...options.environment,
  })
  if (read.kind !== 'read') throw new Error(JSON.stringify(read))
  const observations: Observation[] = []
  const service: Service = buildService(read.options, (observation) => observations.push(observation))
  const url = await service.listen()
  const opened = openTestStore({ databaseUrl: options.databaseUrl })
  const store = options.withoutAccess ? opened : await withTestAccess(opened)
  return {
    url,
    store,
    observations,
    fetch: (path, init = {}) =>
      fetch(url + path, { ...init, headers: { authorization: `Bearer ${testToken}`, ...init.headers } }),
    close: async () => {
      await service.close()
      await store.database.close()
    },
  }
}
