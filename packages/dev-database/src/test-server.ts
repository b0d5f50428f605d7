import { citusWorkers, testDatabaseUrl } from './environment.ts'
import type { ClusterOptions } from './server-settings.ts'
import { startCitus } from './start-citus.ts'
import { startCluster } from './start-cluster.ts'

export type TestServer = {
  readonly url: string
  /** Stops the server if we started it; leaves any other running. */
  readonly stop: () => Promise<void>
}

export type TestServerOptions = ClusterOptions & {
  /** The server to use; by default the one in OCTAVO_TEST_DATABASE_URL, else a throwaway one. */
  readonly databaseUrl?: string | undefined
}

/** The only place that decides which server tests, development and benchmarks run on. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const url = options.databaseUrl ?? testDatabaseUrl()
  if (url !== undefined) return { url, stop: async () => {} }
  const workers = citusWorkers()
  return workers === undefined ? startCluster(options) : startCitus({ ...options, workers })
}
