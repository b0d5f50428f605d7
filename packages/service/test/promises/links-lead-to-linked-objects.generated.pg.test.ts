import { freshDatabase } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { many, seed } from '../support/generated-cases.ts'
import { runLinks } from '../support/compare-with-model/run-links.ts'
import { loadItems } from '../support/load-items.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { serveClaims } from '../support/serve-claims.ts'
import { promisedOntology } from '../support/promised-ontology.ts'
import { searchInProcess } from '../support/search-in-process.ts'
import { databaseThat } from '../support/database-that.ts'

it.each([
  { keys: 'are looked up first', first: 1, mostLinkedKeys: 1_000 },
  { keys: 'are too many to be looked up', first: 2, mostLinkedKeys: 2 },
])(
  'P321, P322, P323: a query that follows links finds what the model finds, where keys $keys',
  async ({ first, mostLinkedKeys }) => {
    const database = await freshDatabase()
    const store = openTestStore({ databaseUrl: database.url }, { mostLinkedKeys })
    const service = await serveClaims(store)
    try {
      const ontology = await promisedOntology(store)
      const tally = await runLinks({
        store,
        service,
        ontology,
        apiFamily: 'promised',
        seed: seed(first),
        sets: many(6),
        queriesPerSet: 10,
      })
      expect(tally.telling).toBeGreaterThan(tally.queries * 0.15)
      expect(tally.commits).toBeGreaterThan(5)
    } finally {
      await service.close()
      await store.database.close()
      await database.drop()
    }
  },
  many(120_000),
)

it('P322: in default mode a state that is gone is named again, and in snapshot mode it is refused', async () => {
  const database = await freshDatabase()
  const store = openTestStore({ databaseUrl: database.url })
  try {
    const { type } = await loadItems(store, await promisedOntology(store), 3, 'item')
    const ask = searchInProcess({
      store: {
        ...store,
        // As if the database had failed over, and had lost the version that was read just before.
        database: databaseThat(store.database, {
          rows: async (query) => (await store.database.rows(query)).map((row) => ({ ...row, tag: 'lost' })),
        }),
      },
      apiFamily: 'promised',
      objectType: type.apiName,
    })
    const query = { type: 'linked', link: 'same', query: { type: 'empty' } }
    expect(await ask({ query })).toMatchObject({
      refusal: { errorName: 'Overloaded', parameters: { retryAfterSeconds: 1 } },
    })
    expect(await ask({ query, snapshot: true })).toMatchObject({
      refusal: { errorName: 'ConsistentSnapshotError' },
    })
  } finally {
    await store.database.close()
    await database.drop()
  }
})
