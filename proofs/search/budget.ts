// A rare match that can only be found by scanning every object: each request ends in time, and the walk finds all matches.
import { putItems } from '../../packages/service/test/support/load-items.ts'
import { searchInProcess } from '../../packages/service/test/support/search-in-process.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { withStore } from '../harness/with-store.ts'

export async function proveBudget(proof: Proof): Promise<void> {
  const objects = proof.short ? 60_000 : 300_000
  let now = 0
  // Each reading of the clock is 15 seconds later: of the 50 that a page has, two stretches and what precedes them take 45.
  const elapsed = () => (now += 15_000)
  await withStore({ sources: { elapsed } }, async ({ store, ontology }) => {
    const type = await store.applyObjectType(ontology, {
      apiName: 'haystack',
      displayName: 'Haystack',
      primaryKey: 'id',
      titleProperty: 'id',
      properties: { id: { type: 'integer' }, marks: { type: { array: 'integer' }, searchable: true } },
    })
    const rare = [5, 500, Math.floor(objects / 2), objects - 20, objects - 3]
    await putItems(
      store,
      type,
      Array.from({ length: objects }, (_, id) => ({
        id,
        marks: rare.includes(id) ? [id % 7, 1_000] : [id % 7],
      })),
    )
    await store.database.run(`analyze ${type.tables.current}`)
    const search = searchInProcess({ store, apiFamily: 'proof', objectType: 'haystack' })

    for (const snapshot of [false, true]) {
      await proof.point(
        `A rare match is found page by page, each within its time limit${snapshot ? ', at a snapshot' : ''}`,
        async () => {
          const found: unknown[] = []
          let timeouts = 0
          let pages = 0
          let pageToken: string | undefined
          do {
            const answer = await search({
              query: { type: 'gt', field: 'marks', value: 100 },
              snapshot,
              pageSize: 2,
              ...(pageToken !== undefined && { pageToken }),
            })
            if ('refusal' in answer) {
              expect(answer.refusal.errorName === 'ScanTimedOut', answer.refusal.message)
              pageToken = (answer.refusal.parameters as { readonly pageToken?: string }).pageToken
              expect(pageToken !== undefined, 'ScanTimedOut without a token')
              timeouts += 1
              continue
            }
            pages += 1
            const { data, nextPageToken } = answer.page
            expect(data.length > 0 || nextPageToken === undefined, 'an empty page with a token')
            found.push(...data.map((record) => record.properties['id']))
            pageToken = nextPageToken
          } while (pageToken !== undefined)
          expect(JSON.stringify(found) === JSON.stringify(rare), `found ${JSON.stringify(found)}`)
          expect(timeouts > 0, 'the time was never up')
          return `${found.length} of ${objects.toLocaleString('en')} objects, each once, in ${pages} pages and ${timeouts} ScanTimedOut`
        },
      )
    }
  })
}
