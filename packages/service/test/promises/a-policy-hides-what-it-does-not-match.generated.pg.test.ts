// Random policies, callers and requests, each compared with a plain search in memory. The long run is part of `npm run
// prove -- access`.
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ontology } from '../../src/catalog/ontology.ts'
import type { Store } from '../../src/open-store.ts'
import { many, seed } from '../support/generated-cases.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { runPolicies } from '../support/policy-oracle/run-policies.ts'
import { serveClaims, type ClaimsService } from '../support/policy-oracle/serve-claims.ts'

let database: FreshDatabase
let store: Store
let service: ClaimsService
let ontology: Ontology

beforeAll(async () => {
  database = await freshDatabase()
  store = openTestStore({ databaseUrl: database.url })
  service = await serveClaims(store)
  ontology = await store.applyOntology({
    apiName: 'guarded',
    displayName: 'Guarded',
    apiFamilies: ['guarded'],
  })
})

afterAll(async () => {
  await service.close()
  await store.database.close()
  await database.drop()
})

it('P144, P145, P146: generated policies hide what they do not match from generated callers, in data, totals, tokens and single reads', async () => {
  const tally = await runPolicies({
    store,
    service,
    ontology,
    apiFamily: 'guarded',
    seed: seed(1),
    types: many(6),
    policiesPerType: 8,
    callersPerPolicy: 5,
  })
  expect(tally.walks).toBe(many(6) * 8 * 5)
  for (const part of ['telling', 'closed', 'snapshots', 'totals', 'oneByOne', 'commits'] as const) {
    expect(tally[part], part).toBeGreaterThan(20)
  }
})
