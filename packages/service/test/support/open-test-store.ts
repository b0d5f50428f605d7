// A store on a fresh database, for tests and proofs.
import { randomHex, randomUuid } from '../../src/guard/auth/random.ts'
import { openStore, type Store, type StoreSources } from '../../src/open-store.ts'

export interface TestStoreOptions {
  readonly databaseUrl: string
  readonly databasePoolSize?: number
  readonly statementTimeoutSeconds?: number
  readonly allowsStandby?: boolean
  readonly connectSeconds?: number
  readonly databaseRouting?: 'direct' | 'coordinator'
}

export interface TestStore extends Store {
  readonly close: () => Promise<void>
}

export function openTestStore(options: TestStoreOptions, sources: Partial<StoreSources> = {}): TestStore {
  const store = openStore(
    {
      databasePoolSize: 10,
      statementTimeoutSeconds: 60,
      requestTimeoutSeconds: 60,
      connectSeconds: 60,
      batchTimeoutSeconds: 3_600,
      ...options,
    },
    { now: () => new Date(), elapsed: () => performance.now(), randomHex, randomUuid, ...sources },
    () => {},
  )
  return { ...store, close: () => store.database.close() }
}
