// A query on a property that is not searchable costs nothing: it is refused without a query to the database.
import { rowSourcesOf, type SqlQuery } from '../../packages/service/test/inside.ts'
import { databaseThat } from '../../packages/service/test/support/database-that.ts'
import { itemDefinition, putItems, items } from '../../packages/service/test/support/load-items.ts'
import { jsonBody } from '../../packages/service/test/support/page-revisions.ts'
import { searchInProcess } from '../../packages/service/test/support/search-in-process.ts'
import { startTestService } from '../../packages/service/test/support/start-test-service.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { withStore } from '../harness/with-store.ts'

const body = { query: { type: 'eq', field: 'label', value: 'x' } }

export async function proveRefusals(proof: Proof): Promise<void> {
  await withStore({}, async ({ databaseUrl, store, ontology }) => {
    const type = await store.applyObjectType(ontology, itemDefinition('items'))
    await putItems(store, type, items(1_000))

    await proof.point(
      'A query on a property that is not searchable sends nothing to the database',
      async () => {
        const asked: string[] = []
        const asking = async ({ text }: SqlQuery) => {
          asked.push(text)
          throw new Error(`The database was asked: ${text}`)
        }
        const database = databaseThat(store.database, { rows: asking, bytes: asking, eachRow: asking })
        const search = searchInProcess({
          store: { ...rowSourcesOf(database), catalog: store.catalog },
          apiFamily: 'proof',
          objectType: 'items',
        })
        const answer = await search(body)
        expect('refusal' in answer, 'it was not refused')
        const { errorName, parameters } = answer.refusal
        expect(errorName === 'PropertiesNotSearchable', errorName)
        expect(asked.length === 0, asked.join())
        return `${errorName} ${JSON.stringify(parameters)}`
      },
    )

    await proof.point(
      'It is refused soon over HTTP, in under 5 ms on a machine that does nothing else',
      async () => {
        const service = await startTestService({ databaseUrl })
        try {
          const times: number[] = []
          for (let i = 0; i < 300; i += 1) {
            const since = performance.now()
            const response = await service.fetch('/api/proof/v1/objects/types/items/search', {
              ...jsonBody(body),
              headers: { 'content-type': 'application/json' },
            })
            await response.text()
            times.push(performance.now() - since)
            expect(response.status === 400, `status ${response.status}`)
          }
          const sorted = times.slice(50).toSorted((a, b) => a - b)
          const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Infinity
          expect(proof.short || at(0.5) < 5, `the median was ${at(0.5).toFixed(2)} ms`)
          return `median ${at(0.5).toFixed(2)} ms, 95 % within ${at(0.95).toFixed(2)} ms`
        } finally {
          await service.close()
        }
      },
    )
  })
}
