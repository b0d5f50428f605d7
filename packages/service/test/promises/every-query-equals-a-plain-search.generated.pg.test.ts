// Random queries over random types, each compared with a search in memory that shares no code with the compiler.
import { expect, it } from 'vitest'
import { many, seed } from '../support/generated-cases.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { runQueries } from '../support/compare-with-model/run-queries.ts'
import { withStore } from '../support/with-store.ts'

const { database, store, ontology } = withStore()

it('P94, P95, P96: every generated query finds what a plain search in memory finds, in its order', async () => {
  const tally = await runQueries({
    store,
    ontology,
    seed: seed(1),
    types: many(10),
    queriesPerType: 50,
    objects: (random) => random.integer(30, 150),
  })
  expect(tally.queries).toBe(many(10) * 50)
  expect(tally.telling, 'queries that some objects match').toBeGreaterThan(tally.queries * 0.4)
  for (const part of ['oneByOne', 'snapshots', 'commits', 'scans', 'gathers'] as const) {
    expect(tally[part], part).toBeGreaterThan(25)
  }
})

it('a collection longer than one stretch of a scan gives the same answers', async () => {
  const tally = await runQueries({
    store,
    ontology,
    seed: seed(2),
    types: 1,
    queriesPerType: 40,
    objects: () => 2_500,
  })
  expect(tally.queries).toBe(40)
})

it('stretches that end between the rows of an object give the same answers', async () => {
  const stretchLengths = { usual: [2, 5, 30], longer: [1_000] }
  const short = openTestStore({ databaseUrl: database.url }, { stretchLengths })
  try {
    const tally = await runQueries({
      store: short,
      ontology,
      seed: seed(3),
      types: many(4),
      queriesPerType: 50,
      objects: (random) => random.integer(30, 80),
    })
    expect(tally.snapshots).toBeGreaterThan(25)
    expect(tally.scans).toBeGreaterThan(25)
  } finally {
    await short.database.close()
  }
})
