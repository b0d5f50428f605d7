// What a page tells about the walk as a whole: what was committed meanwhile, and that a limit will end it.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadItems } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { revisions, type Revision } from '../support/page-revisions.ts'
import { serveOnFreshDatabase, type PromisedService } from '../support/serve-on-fresh-database.ts'
import { readPage, type WirePage } from '../support/walk-over-http.ts'

let service: PromisedService
let manage: ReturnType<typeof manageOverHttp>

beforeAll(async () => {
  service = await serveOnFreshDatabase()
  manage = manageOverHttp(service)
})
afterAll(() => service.close())

const collectionOf = (objectType: string) => ({
  ontologyRid: service.ontology.rid,
  apiFamily: 'promised',
  objectType,
})

const revisionNamed = (name: Revision['name']): Revision => {
  const found = revisions.find((revision) => revision.name === name)
  if (found === undefined) throw new Error(`no revision ${name}`)
  return found
}

type Told = WirePage & { readonly drift?: Readonly<Record<string, unknown>>; readonly walkLimit?: string }

describe.for(revisions)('revision $name', (revision) => {
  const name = (text: string) => `${text}-${revision.name.replace('.', '-')}`

  async function walk(
    objectType: string,
    afterPage: (page: number) => Promise<unknown>,
    asks: { readonly snapshot?: boolean } = {},
  ): Promise<readonly Told[]> {
    const pages: Told[] = []
    let pageToken: string | undefined
    do {
      const collection = collectionOf(objectType)
      const ask = { ...asks, pageSize: 4, ...(pageToken !== undefined && { pageToken }) }
      const page: Told = await readPage(service, revision, collection, ask)
      pages.push(page)
      pageToken = page.nextPageToken
      if (pageToken !== undefined) await afterPage(pages.length)
    } while (pageToken !== undefined)
    return pages
  }

  it('P248: the last page says what was committed since the first', async () => {
    const objectType = name('drifting')
    await loadItems(service.store, service.ontology, 12, objectType)
    const quiet = await walk(objectType, async () => {})
    const { fromVersion } = quiet.at(-1)?.drift ?? {}
    expect(quiet.map(({ drift }) => drift)).toEqual([
      undefined,
      undefined,
      { fromVersion, toVersion: fromVersion, puts: '0', deletes: '0' },
    ])
    const busy = await walk(objectType, (page) =>
      manage.commit([put({ id: 'a', rank: page }), put({ id: 'b', rank: page }), remove(`i00000${page}`)], {
        objectType,
      }),
    )
    expect(busy.at(-1)?.drift).toEqual({
      fromVersion,
      toVersion: String(Number(fromVersion) + 2),
      puts: '4',
      deletes: '2',
    })
  })

  it('P248: a walk of one page has none, and a snapshot walk has none', async () => {
    const objectType = name('alone')
    await loadItems(service.store, service.ontology, 6, objectType)
    const snapshot = await walk(objectType, async () => {}, { snapshot: true })
    expect(snapshot).toHaveLength(2)
    for (const page of snapshot) expect(page).not.toHaveProperty('drift')
    const collection = collectionOf(objectType)
    expect(await readPage(service, revision, collection, { pageSize: 10 })).not.toHaveProperty('drift')
  })

  it('P248: another commit with the version of the first page is not taken for it', async () => {
    const objectType = name('restored')
    const { type } = await loadItems(service.store, service.ontology, 6, objectType)
    const database = new Client(service.databaseUrl)
    await database.connect()
    const pages = await walk(objectType, () =>
      database.query(`update ${type.tables.commits} set tag = md5(tag) where object_type = ${type.id}`),
    )
    await database.end()
    const { drift } = pages.at(-1) ?? {}
    expect(drift).toEqual({ fromVersion: drift?.['fromVersion'], toVersion: drift?.['fromVersion'] })
  })

  it('P248: no more than 10,000 commits are counted', async () => {
    const objectType = name('hot')
    const { type } = await loadItems(service.store, service.ontology, 6, objectType)
    const database = new Client(service.databaseUrl)
    await database.connect()
    // As after many commits of one object each.
    const pages = await walk(objectType, () =>
      database.query(`
with k as (update ${type.tables.clock} set version = version + 12000 where object_type = ${type.id} returning version, live)
insert into ${type.tables.commits} (object_type, version, committed_at, tag, live, put, deleted, unchanged)
select ${type.id}, k.version - i, now() at time zone 'utc', md5(i::text), k.live, 1, 0, 0 from k, generate_series(0, 11999) i`),
    )
    await database.end()
    expect(pages.at(-1)?.drift).toMatchObject({ puts: '10001', deletes: '0', isBound: true })
  })
})

it('P248: a caller for whom a policy hides objects is not told', async () => {
  const { type } = await loadItems(service.store, service.ontology, 12, 'hidden-drift')
  await service.store.applyObjectType(service.ontology, {
    ...type.definition,
    properties: {
      ...type.definition.properties,
      rank: { type: 'integer', sortable: true, searchable: true },
    },
    policy: { type: 'gte', field: 'rank', value: 0 },
  })
  const two = revisionNamed('2.0')
  const collection = collectionOf('hidden-drift')
  let page: Told = await readPage(service, two, collection, { pageSize: 5 })
  while (page.nextPageToken !== undefined)
    page = await readPage(service, two, collection, { pageSize: 5, pageToken: page.nextPageToken })
  expect(page.data.length).toBeGreaterThan(0)
  expect(page).not.toHaveProperty('drift')
})

it('P249: the first page of a list says that its limit will end it', async () => {
  const one = revisionNamed('1.0')
  for (const [count, limit] of [
    [10_000, undefined],
    [10_001, '10000'],
  ] as const) {
    const objectType = `long-${count}`
    await loadItems(service.store, service.ontology, count, objectType)
    const collection = collectionOf(objectType)
    const first: Told = await readPage(service, one, collection, { pageSize: 10 })
    expect(first.walkLimit).toBe(limit)
    const { nextPageToken = '' } = first
    const second = await readPage(service, one, collection, { pageSize: 10, pageToken: nextPageToken })
    expect(second).not.toHaveProperty('walkLimit')
  }
})
