import { readOptions } from '../../src/config/read-options.ts'
import { serveOptions } from '../../src/config/options.ts'
import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { collectionOf, itemId, putItems } from '../support/load-items.ts'
import { revisions, type Collection } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { askForPage, walkOverHttp, type WirePage } from '../support/walk-over-http.ts'
import { defineType } from '../support/define-type.ts'

const budget = 8 * 1024 * 1024

const service = forAllTests(serveOnFreshDatabase)

async function collectionWith(apiName: string, sizes: readonly number[]): Promise<Collection> {
  const type = await service.store.applyObjectType(
    service.ontology,
    defineType(apiName, { id: 'string', text: 'string' }),
  )
  for (let from = 0; from < sizes.length; from += 50) {
    const some = sizes.slice(from, from + 50)
    await putItems(
      service.store,
      type,
      some.map((bytes, i) => ({ id: itemId(from + i), text: 'x'.repeat(bytes) })),
    )
  }
  return collectionOf(service.ontology, type)
}

describe.for(revisions)('in revision $name', (revision) => {
  it.for([false, true])(
    'P7, P8, P19: objects of 100 KB come about 80 to a page, with snapshot %s',
    async (snapshot) => {
      const sizes = Array.from({ length: 300 }, () => 100_000)
      const collection = await collectionWith(`large-${revision.name}-${snapshot}`, sizes)
      const walk = await walkOverHttp(service, revision, collection, { snapshot, pageSize: () => 1_000 })
      expect(walk.records.map(({ properties }) => properties['id'])).toEqual(sizes.map((_, i) => itemId(i)))
      const counts = walk.pages.map(({ data }) => data.length)
      expect(counts).toEqual([83, 83, 83, 51])
      const first = await askForPage(service, revision, collection, { snapshot, pageSize: 1_000 })
      expect(first.text.length).toBeLessThan(budget + 200_000)
    },
  )

  it('P8: one object is always sent, however large it is, and the next page continues after it', async () => {
    const sizes = [10, 9_000_000, 10, 9_000_000, 9_000_000, 10]
    const collection = await collectionWith(`huge-${revision.name}`, sizes)
    const walk = await walkOverHttp(service, revision, collection, { pageSize: () => 1_000 })
    expect(walk.records.map(({ properties }) => String(properties['text']).length)).toEqual(sizes)
    expect(walk.pages.length).toBeGreaterThanOrEqual(3)
    expect(walk.pages.every((page: WirePage) => page.data.length > 0)).toBe(true)
  })
})

it('P17: without a sealing key, or with one that is none, the service does not start', () => {
  const started = (keys: Record<string, string>) =>
    readOptions(serveOptions, [], { OCTAVO_DATABASE_URL: 'postgres://localhost/none', ...keys }).kind
  const key = Buffer.alloc(32, 1).toString('base64url')
  expect(started({})).toBe('refused')
  for (const keys of ['', 'a', key, `a:${key.slice(1)}`, `a:${key},`, `a:${key},a:${key}`]) {
    expect(started({ OCTAVO_PAGE_TOKEN_KEYS: keys })).toBe('refused')
  }
  expect(started({ OCTAVO_PAGE_TOKEN_KEYS: `a:${key}` })).toBe('read')
})
