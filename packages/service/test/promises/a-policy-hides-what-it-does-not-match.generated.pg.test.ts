// Random policies, callers and requests, each compared with a plain search in memory.
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { many, seed } from '../support/generated-cases.ts'
import { runPolicies } from '../support/compare-with-model/run-policies.ts'
import { serveClaims } from '../support/serve-claims.ts'
import { withStore } from '../support/with-store.ts'

const { store, ontology } = withStore()
const service = forAllTests(() => serveClaims(store))

it('P144, P145, P146: generated policies hide what they do not match from generated callers, in data, totals, tokens and single reads', async () => {
  const tally = await runPolicies({
    store,
    service,
    ontology,
    apiFamily: 'promised',
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
