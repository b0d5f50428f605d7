// Uses its own server, because it is killed. More rounds: npm run prove -- store.
import { startCluster } from '@octavo/dev-database'
import { expect, it } from 'vitest'
import { migrateDatabase } from '../../src/build-service.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { runCrashes } from '../support/store-model/run-crashes.ts'

it('keeps every acknowledged commit whole and no other in part when the server is killed', async () => {
  const cluster = await startCluster({ durable: true })
  const store = openTestStore({ databaseUrl: cluster.url })
  try {
    await migrateDatabase(cluster.url, () => {})
    const tally = await runCrashes({ store, server: cluster, seed: 11, rounds: 3 })
    process.stdout.write(`seed 11: ${JSON.stringify(tally)}\n`)
    expect(tally.differences).toEqual([])
    // Otherwise nothing was interrupted, and the test would prove nothing.
    expect(tally.acknowledged).toBeGreaterThanOrEqual(60)
    expect(tally.unanswered).toBeGreaterThanOrEqual(3)
    expect(tally.walks).toBeGreaterThanOrEqual(30)
  } finally {
    await store.database.close()
    await cluster.stop()
  }
})
