// Uses its own server, because it is killed.
import { startCluster } from '@octavo/dev-database'
import { expect, it } from 'vitest'
import { migrateDatabase } from '../../src/build-service.ts'
import { many, seed } from '../support/generated-cases.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { runCrashes } from '../support/under-load/run-crashes.ts'

it(
  'keeps every acknowledged commit whole and no other in part when the server is killed',
  async () => {
    const cluster = await startCluster({ durable: true })
    const store = openTestStore({ databaseUrl: cluster.url })
    try {
      await migrateDatabase(cluster.url, () => {})
      const rounds = many(3)
      const drawn = seed(11)
      const tally = await runCrashes({ store, server: cluster, seed: drawn, rounds })
      process.stdout.write(`seed ${drawn}: ${JSON.stringify(tally)}\n`)
      expect(tally.differences).toEqual([])
      // Otherwise nothing was interrupted, and the test would prove nothing.
      expect(tally.acknowledged).toBeGreaterThanOrEqual(rounds * 20)
      expect(tally.unanswered).toBeGreaterThanOrEqual(rounds)
      expect(tally.walks).toBeGreaterThanOrEqual(rounds * 10)
    } finally {
      await store.database.close()
      await cluster.stop()
    }
  },
  many(180_000),
)
