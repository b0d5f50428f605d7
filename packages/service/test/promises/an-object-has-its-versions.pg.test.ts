// The versions of an object that are listed are those that snapshots show.
import { seededRandom } from '@octavo/model'
import { objectVersionsPageSchema } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { everything } from '../../src/catalog/filter/filter.ts'
import { compileVersionsQuery, type VersionPlace } from '../../src/read/sql/compile-versions-query.ts'
import { readState, type State } from '../support/changes-over-http.ts'
import { refusalOf } from '../support/error-answer.ts'
import { letTimePass } from '../support/let-time-pass.ts'
import { itemId, items, loadItems, putItems } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import {
  askForVersions,
  readVersions,
  readVersionsPage,
  standingAt,
  versionsIn,
  type VersionsAsked,
} from '../support/versions-over-http.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const asking = (objectType: string, primaryKey: string) => ({ objectType, asks: { primaryKey } })
const refused = async (objectType: string, asks: VersionsAsked['asks']) =>
  refusalOf(await askForVersions(service, { objectType, asks }))

it('P280, P281: at every version that is kept, the list has what a walk of that state has', async () => {
  const random = seededRandom(5)
  await loadItems(service.store, service.ontology, 3, 'equal')
  const keys = [itemId(0), itemId(1), itemId(2), 'new "1"'] as const
  const states: State[] = []
  const isWhole = Compile(objectVersionsPageSchema)
  for (let i = 0; i < 40; i += 1) {
    const id = random.pick(keys)
    const line = random.chance(0.4) ? remove(id) : put({ id, rank: i, tags: ['a', `t${i}`] })
    await manage.commit([line, put({ id: 'other', rank: i })], { objectType: 'equal' })
    states.push(await readState(service, { objectType: 'equal', asks: {} }))
  }
  for (const key of keys) {
    const whole = versionsIn(await readVersions(service, asking('equal', key)))
    for (const { version, copy } of states) {
      const shown = standingAt(whole, version)
      expect(shown && JSON.stringify(shown), `${key} at ${version}`).toEqual(copy.get(key))
    }
    const order = whole.map(({ version }) => BigInt(version))
    expect(order).toEqual(order.toSorted((a, b) => (a > b ? -1 : 1)))
    expect(whole.every(({ committedAt }) => committedAt !== undefined)).toBe(true)
    // The items follow each other without a gap.
    expect(whole.slice(1).map(({ untilVersion }) => untilVersion)).toEqual(
      whole.slice(0, -1).map(({ version }) => version),
    )
    expect(whole[0]?.untilVersion).toBeUndefined()
    for (const pageSize of [1, 2, 3, 7]) {
      const pages = await readVersions(service, { ...asking('equal', key), pageSize })
      expect(pages.filter((page) => !isWhole.Check(page))).toEqual([])
      expect(versionsIn(pages)).toEqual(whole)
      expect(pages.every(({ data }) => data.length <= pageSize && data.length > 0)).toBe(true)
    }
  }
  expect(await refused('equal', { primaryKey: 'never' })).toMatchObject(
    errorNamed('ObjectNotFound', { objectType: 'equal', primaryKey: 'never' }),
  )
})

it('P280: all pages are of the state of the first, whatever is written meanwhile', async () => {
  await loadItems(service.store, service.ontology, 2, 'moving')
  const id = itemId(1)
  for (let rank = 0; rank < 6; rank += 1)
    await manage.commit([rank === 3 ? remove(id) : put({ id, rank })], { objectType: 'moving' })
  const before = await readVersions(service, asking('moving', id))
  let rank = 100
  const pages = await readVersions(service, {
    ...asking('moving', id),
    pageSize: 1,
    betweenPages: () => {
      rank += 1
      return manage.commit([rank % 2 === 0 ? remove(id) : put({ id, rank })], { objectType: 'moving' })
    },
  })
  expect(versionsIn(pages)).toEqual(versionsIn(before))
  expect(new Set(pages.map(({ version }) => version))).toEqual(new Set(before.map(({ version }) => version)))
})

it('P280: select returns these properties and the key', async () => {
  await loadItems(service.store, service.ontology, 2, 'selected')
  const { data } = await readVersionsPage(service, {
    objectType: 'selected',
    asks: { primaryKey: itemId(1), select: ['rank'] },
  })
  expect(data).toMatchObject([{ type: 'put', object: { properties: { id: itemId(1), rank: 19 } } }])
  expect(JSON.stringify(data)).not.toContain('tags')
  expect(await refused('selected', { primaryKey: itemId(1), select: ['rnk'] })).toMatchObject(
    errorNamed('PropertiesNotFound', { didYouMean: ['rank'] }),
  )
})

it('P25, P282: a token belongs to one object, and what is wrong is refused by name', async () => {
  await loadItems(service.store, service.ontology, 3, 'bound')
  for (const rank of [1, 2]) {
    const lines = [1, 2].map((i) => put({ id: itemId(i), rank }))
    await manage.commit(lines, { objectType: 'bound' })
  }
  const asks = { primaryKey: itemId(1), pageSize: 1 }
  const { nextPageToken: pageToken } = await readVersionsPage(service, { objectType: 'bound', asks })
  expect(await refused('bound', { ...asks, pageToken, primaryKey: itemId(2) })).toMatchObject(
    errorNamed('InvalidPageToken', { reason: 'requestChanged', changed: ['primaryKey'] }),
  )
  expect(await refused('bound', { ...asks, pageToken, select: ['rank'] })).toMatchObject({
    parameters: { reason: 'requestChanged', changed: ['select'] },
  })
  expect(await refused('bound', { ...asks, orderBy: 'rank' })).toMatchObject({
    errorName: 'UnknownParameter',
  })
})

it('P282: versions that ended by the oldest one that is kept are not shown, whether they are deleted yet or not', async () => {
  const { type } = await loadItems(service.store, service.ontology, 2, 'pruned')
  const id = itemId(1)
  await manage.commit([put({ id, rank: 1 })], { objectType: 'pruned' })
  await manage.commit([remove(itemId(0))], { objectType: 'pruned' })
  const { version } = await manage.commit([put({ id, rank: 2 })], { objectType: 'pruned' })
  await letTimePass(service.store, type, 4_000)
  await manage.commit([put({ id, rank: 3 })], { objectType: 'pruned' })
  // The first time the floor is raised, the second time what ended before it is deleted.
  for (const settleSeconds of [0, 0]) {
    await service.store.prune(type, { retentionSeconds: 3_600, settleSeconds, commitsKeptSeconds: 3_700 })
    const pages = await readVersions(service, asking('pruned', id))
    expect(versionsIn(pages).map((one) => one.type === 'put' && one.object.properties['rank'])).toEqual([
      3, 2,
    ])
    expect(pages[0]?.oldestReadable.version).toBe(version)
    expect(await refused('pruned', { primaryKey: itemId(0) })).toMatchObject({ errorName: 'ObjectNotFound' })
  }
})

it('P282: a page costs its rows and a look at each epoch, however many versions there are', async () => {
  const { type, collection } = await loadItems(service.store, service.ontology, 400, 'often')
  for (let i = 0; i < 12; i += 1)
    await putItems(
      service.store,
      type,
      items(400).map((item) => ({ ...item, rank: 1_000 + i })),
    )
  const id = itemId(7)
  for (let rank = 0; rank < 60; rank += 1) await putItems(service.store, type, [{ id, rank }])
  const { objectType } = collection
  const whole = versionsIn(await readVersions(service, asking(objectType, id)))
  expect(whole).toHaveLength(73)
  expect(versionsIn(await readVersions(service, { ...asking(objectType, id), pageSize: 5 }))).toEqual(whole)
  const { database } = service.store
  const [clock] = await database.rows({
    text: `select epoch from ${type.tables.clock} where object_type = $1`,
    values: [type.id],
  })
  const epochs = Number(clock?.['epoch'])
  expect(epochs).toBeGreaterThan(3)
  const blocksOf = async (before: VersionPlace | undefined, most: number) => {
    const at = { kind: 'capture' } as const
    const range = { type, at, record: '2.0', key: id, visible: everything, byteBudget: 1e6 } as const
    const { text, values } = compileVersionsQuery({ ...range, before, most })
    const [plan] = await database.rows({ text: `explain (analyze, buffers, format json) ${text}`, values })
    const [{ Plan: top }] = JSON.parse(plan?.['QUERY PLAN'] ?? '') as [{ Plan: Record<string, number> }]
    return Number(top['Shared Hit Blocks']) + Number(top['Shared Read Blocks'])
  }
  const middle = { version: whole[40]?.version ?? '', epoch: null }
  // A row takes a look at history and two at commits.
  for (const before of [undefined, middle])
    expect(await blocksOf(before, 6)).toBeLessThan(6 * 12 + (epochs + 6) * 4)
  expect(await blocksOf(undefined, 6)).toBeLessThan(0.5 * (await blocksOf(undefined, 74)))
})

it('P8: a page of versions ends at the byte budget, and has at least one', async () => {
  await loadItems(service.store, service.ontology, 1, 'large')
  const id = 'large'
  for (let rank = 0; rank < 5; rank += 1)
    await manage.commit([put({ id, rank, tags: ['x'.repeat(rank === 2 ? 9_000_000 : 3_000_000)] })], {
      objectType: 'large',
    })
  const pages = await readVersions(service, asking('large', id))
  expect(
    pages.map(({ data }) => data.map((one) => one.type === 'put' && one.object.properties['rank'])),
  ).toEqual([
    [4, 3, 2],
    [1, 0],
  ])
})

it('P282: after a restore, a list that was begun before is refused', async () => {
  const { type } = await loadItems(service.store, service.ontology, 2, 'restored')
  for (const rank of [1, 2]) await manage.commit([put({ id: itemId(1), rank })], { objectType: 'restored' })
  const asks = { primaryKey: itemId(1), pageSize: 1 }
  const { nextPageToken: pageToken } = await readVersionsPage(service, { objectType: 'restored', asks })
  await service.store.database.rows({
    text: `update ${type.tables.commits} set tag = 'ffffffffffffffff' where object_type = $1 and version = (select max(version) from ${type.tables.commits} where object_type = $1)`,
    values: [type.id],
  })
  expect(await refused('restored', { ...asks, pageToken })).toMatchObject({
    errorName: 'ConsistentSnapshotError',
  })
})
