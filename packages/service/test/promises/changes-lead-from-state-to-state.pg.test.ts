// The changes since a state make a copy of it equal to a later one.
import { checksumOf, seededRandom } from '@octavo/model'
import { limits, type ChangesPage, type ObjectTypeDefinition } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import {
  applied,
  askForChanges,
  changesOf,
  readChanges,
  readState,
  sorted,
  type State,
} from '../support/changes-over-http.ts'
import { refusalOf } from '../support/error-answer.ts'
import { itemDefinition, itemId, items, loadItems, putItems } from '../support/load-items.ts'
import { letTimePass } from '../support/let-time-pass.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { peopleInLoads } from '../support/people-in-loads.ts'
import { sealerWith } from '../support/reseal-token.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const stateOf = (objectType: string) => readState(service, { objectType, asks: {} })

const since = ({ snapshotToken }: State) => ({ fromSnapshotToken: snapshotToken })

describe('P270: any two states', () => {
  it('P271, P272: with commits, deletions, re-creations and replacements between them', async () => {
    const random = seededRandom(7)
    await loadItems(service.store, service.ontology, 40, 'any')
    const key = () => itemId(random.integer(0, 60))
    const change = () =>
      random.chance(0.35) ? remove(key()) : put({ id: key(), rank: random.integer(0, 3) })
    const states = [await stateOf('any')]
    for (let i = 0; i < 40; i += 1) {
      const lines = Array.from({ length: random.integer(1, 12) }, change)
      await (i % 8 === 7
        ? manage.commit(
            items(random.integer(20, 40)).map((item) => put(item)),
            { objectType: 'any', kind: 'replace', maxDeletions: '100%' },
          )
        : manage.commit(lines, { objectType: 'any' }))
      states.push(await stateOf('any'))
    }
    const last = states.at(-1)
    for (const [i, state] of states.entries()) {
      const pages = await readChanges(service, {
        objectType: 'any',
        asks: since(state),
        pageSize: () => random.pick([1, 2, 7, 100]),
      })
      expect(sorted(applied(state.copy, pages)), `state ${i}`).toEqual(sorted(last?.copy ?? new Map()))
      const end = pages.at(-1)
      expect(end).toMatchObject({ fromVersion: state.version, toVersion: last?.version })
      const objects = [...(last?.copy.values() ?? [])].map((text) => JSON.parse(text) as never)
      expect(end).toMatchObject({ totalCount: String(objects.length), checksum: checksumOf(objects) })
    }
  })

  it('whatever is written between the pages', async () => {
    await loadItems(service.store, service.ontology, 100, 'moving')
    const before = await stateOf('moving')
    await manage.commit(
      items(100).map(({ id }) => put({ id, rank: 1 })),
      { objectType: 'moving' },
    )
    await manage.commit([remove(itemId(3)), put({ id: 'new', rank: 1 })], { objectType: 'moving' })
    const after = await stateOf('moving')
    let i = 0
    const pages = await readChanges(service, {
      objectType: 'moving',
      asks: since(before),
      pageSize: () => 9,
      betweenPages: async () => {
        i += 1
        await manage.commit(
          [remove(itemId(i * 5)), put({ id: itemId(99 - i), rank: 77 }), put({ id: `later${i}`, rank: 0 })],
          { objectType: 'moving' },
        )
      },
    })
    expect(new Set(pages.map(({ toVersion }) => toVersion))).toEqual(new Set([after.version]))
    expect(sorted(applied(before.copy, pages))).toEqual(sorted(after.copy))
  })

  it('names an object once, however often it has changed, and not at all if it came and went', async () => {
    await loadItems(service.store, service.ontology, 5, 'often')
    const before = await stateOf('often')
    for (let i = 0; i < 30; i += 1)
      await manage.commit([put({ id: itemId(2), rank: 1_000 + i })], { objectType: 'often' })
    await manage.commit([remove(itemId(1)), put({ id: 'passing', rank: 1 })], { objectType: 'often' })
    await manage.commit([remove('passing'), put({ id: itemId(1), rank: 5 })], { objectType: 'often' })
    const pages = await readChanges(service, { objectType: 'often', asks: since(before), pageSize: () => 1 })
    expect(
      changesOf(pages)
        .map(({ type, primaryKey }) => `${type} ${primaryKey}`)
        .toSorted(),
    ).toEqual([`put ${itemId(1)}`, `put ${itemId(2)}`])
  })

  const keysOf: Readonly<Record<string, (i: number) => unknown>> = {
    string: (i) => `${'é'.repeat(i % 3)}"k\\${i}`,
    integer: (i) => (i % 2 === 0 ? i : -i),
    long: (i) => String(BigInt(i) * 900_719_925_474_099_3n),
    date: (i) => new Date(86_400_000 * i).toISOString().slice(0, 10),
    timestamp: (i) => new Date(1_234_567 * i).toISOString(),
  }
  it.for(Object.keys(keysOf))('with keys of the type %s', async (type) => {
    const definition: ObjectTypeDefinition = {
      ...itemDefinition(`changed-${type}`),
      titleProperty: 'id',
      properties: { id: { type: type as 'string' }, rank: { type: 'integer' } },
    }
    const { apiName: objectType } = definition
    const stored = await service.store.applyObjectType(service.ontology, definition)
    const key = keysOf[type] ?? String
    const some = (rank: number) => Array.from({ length: 30 }, (_, i) => ({ id: key(i), rank }))
    await putItems(service.store, stored, some(1))
    const before = await stateOf(objectType)
    await putItems(service.store, stored, some(2).slice(3, 20))
    await manage.commit([remove(key(1)), remove(key(5))], { objectType })
    const pages = await readChanges(service, { objectType, asks: since(before), pageSize: () => 4 })
    expect(sorted(applied(before.copy, pages))).toEqual(sorted((await stateOf(objectType)).copy))
  })

  it('of objects that fill several pages by their size', async () => {
    await loadItems(service.store, service.ontology, 3, 'large')
    const before = await stateOf('large')
    const label = 'x'.repeat(900)
    const tags = Array.from({ length: 2_000 }, () => label)
    for (let i = 0; i < 10; i += 1)
      await manage.commit([put({ id: `big${i}`, rank: i, tags })], { objectType: 'large' })
    await manage.commit([remove(itemId(0)), put({ id: 'big3', rank: 3 })], { objectType: 'large' })
    const pages = await readChanges(service, { objectType: 'large', asks: since(before) })
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages)
      expect(JSON.stringify(page.data).length).toBeLessThan(limits.page.byteBudget + 10_000)
    expect(sorted(applied(before.copy, pages))).toEqual(sorted((await stateOf('large')).copy))
  })
})

it('P270: nothing has changed since the latest state', async () => {
  await loadItems(service.store, service.ontology, 3, 'same')
  const state = await stateOf('same')
  const [page, ...others] = await readChanges(service, { objectType: 'same', asks: since(state) })
  expect(others).toEqual([])
  expect(page).toMatchObject({ data: [], fromVersion: state.version, toVersion: state.version })
})

it('P270, P271: more changes of the same objects than one statement looks at', async () => {
  const { type } = await loadItems(service.store, service.ontology, 2, 'busy')
  const before = await stateOf('busy')
  const { version } = await manage.commit([put({ id: itemId(0), rank: 1 })], { objectType: 'busy' })
  // As after many commits: none of these changes is the first of its object.
  await service.store.database.rows({
    text: `insert into ${type.tables.changes} (version, pk, version_before, deleted)
select $1::bigint, 'a' || i, $1::bigint, false from generate_series(1, 120000) i`,
    values: [version],
  })
  await manage.commit([put({ id: itemId(1), rank: 1 })], { objectType: 'busy' })
  const pages = await readChanges(service, { objectType: 'busy', asks: since(before), pageSize: () => 1 })
  expect(sorted(applied(before.copy, pages))).toEqual(sorted((await stateOf('busy')).copy))
  const again = await readChanges(service, {
    objectType: 'busy',
    asks: { fromSnapshotToken: pages.at(-1)?.snapshotToken ?? '' },
  })
  expect(changesOf(again)).toEqual([])
})

it('P278: the same page token gives the same page, and a state that is gone ends the pages', async () => {
  const { type } = await loadItems(service.store, service.ontology, 10, 'again')
  const before = await stateOf('again')
  const renew = (rank: number) =>
    manage.commit(
      items(10).map(({ id }) => put({ id, rank })),
      { objectType: 'again' },
    )
  await renew(1)
  const asks = { ...since(before), pageSize: 4 }
  const first = JSON.parse((await askForChanges(service, { objectType: 'again', asks })).text) as ChangesPage
  const next = { ...asks, pageToken: first.nextPageToken }
  const second = await askForChanges(service, { objectType: 'again', asks: next })
  await renew(2)
  const secondAgain = await askForChanges(service, { objectType: 'again', asks: next })
  const dataOf = ({ text }: { readonly text: string }) => (JSON.parse(text) as ChangesPage).data
  expect(dataOf(secondAgain)).toEqual(dataOf(second))
  await letTimePass(service.store, type, 7_200)
  const times = { retentionSeconds: 3_600, settleSeconds: 0, commitsKeptSeconds: 7 * 86_400 }
  await service.store.prune(type, times)
  const gone = await askForChanges(service, { objectType: 'again', asks: next })
  expect(refusalOf(gone)).toMatchObject({ status: 409, errorName: 'ConsistentSnapshotError' })
  const again = await readChanges(service, { objectType: 'again', asks: since(before) })
  expect(sorted(applied(before.copy, again))).toEqual(sorted((await stateOf('again')).copy))
})

it('P25: a page token belongs to its since and its to', async () => {
  await loadItems(service.store, service.ontology, 10, 'bound')
  const before = await stateOf('bound')
  await manage.commit([put({ id: 'a', rank: 1 }), put({ id: 'b', rank: 1 })], { objectType: 'bound' })
  const after = await stateOf('bound')
  const asks = { ...since(before), pageSize: 1 }
  const first = JSON.parse((await askForChanges(service, { objectType: 'bound', asks })).text) as ChangesPage
  for (const other of [since(after), { toSnapshotToken: after.snapshotToken }]) {
    const changed = { ...asks, pageToken: first.nextPageToken, ...other }
    const answer = await askForChanges(service, { objectType: 'bound', asks: changed })
    expect(refusalOf(answer)).toMatchObject(
      errorNamed('InvalidPageToken', { reason: 'requestChanged', changed: ['fromSnapshotToken'] }),
    )
  }
})

it('P279: the difference between any two states that are named', async () => {
  const random = seededRandom(3)
  await loadItems(service.store, service.ontology, 20, 'named')
  const states = [await stateOf('named')]
  for (let i = 0; i < 6; i += 1) {
    const lines = Array.from({ length: 8 }, () => {
      const id = itemId(random.integer(0, 30))
      return random.chance(0.4) ? remove(id) : put({ id, rank: random.integer(0, 9) })
    })
    await manage.commit(lines, { objectType: 'named' })
    states.push(await stateOf('named'))
  }
  for (const [i, earlier] of states.entries()) {
    for (const later of states.slice(i)) {
      const asks = { ...since(earlier), toSnapshotToken: later.snapshotToken }
      const pages = await readChanges(service, { objectType: 'named', asks, pageSize: () => 3 })
      expect(sorted(applied(earlier.copy, pages))).toEqual(sorted(later.copy))
      expect(pages.at(-1)).toMatchObject({ toVersion: later.version, totalCount: String(later.copy.size) })
    }
  }
  const [first, second] = states
  const backwards = { fromSnapshotToken: second?.snapshotToken, toSnapshotToken: first?.snapshotToken }
  const refused = await askForChanges(service, { objectType: 'named', asks: backwards })
  expect(refusalOf(refused)).toMatchObject({ status: 422, parameters: { path: '/toSnapshotToken' } })
})

it('P279: between a state and itself there are no changes, and its count and checksum are known for days', async () => {
  const { type } = await loadItems(service.store, service.ontology, 5, 'verified')
  const state = await stateOf('verified')
  await manage.commit([remove(itemId(1))], { objectType: 'verified' })
  const days = 7 * 86_400
  await letTimePass(service.store, type, 6 * 86_400)
  await service.store.prune(type, { retentionSeconds: 60, settleSeconds: 0, commitsKeptSeconds: days })
  await expect(
    readState(service, { objectType: 'verified', asks: { snapshotToken: state.snapshotToken } }),
  ).rejects.toThrow('ConsistentSnapshotError')
  const asks = { ...since(state), toSnapshotToken: state.snapshotToken }
  const objects = [...state.copy.values()].map((text) => JSON.parse(text) as never)
  expect(await readChanges(service, { objectType: 'verified', asks })).toMatchObject([
    { data: [], toVersion: state.version, totalCount: '5', checksum: checksumOf(objects) },
  ])
})

describe('P274, P275: what is not known is refused with its reason', () => {
  const refused = async (objectType: string, asks: object) =>
    refusalOf(await askForChanges(service, { objectType, asks: { ...asks } }))
  const expired = (objectType: string, reason: string) => ({
    status: 409,
    errorName: 'ChangesExpired',
    parameters: { objectType, reason },
  })
  const days = (count: number) => ({
    retentionSeconds: 3_600,
    settleSeconds: 0,
    commitsKeptSeconds: count * 86_400,
  })

  it('since must be the token of a state', async () => {
    await loadItems(service.store, service.ontology, 3, 'asked')
    expect(await refused('asked', {})).toMatchObject(
      errorWith(422, 'Conjure:UnprocessableEntity', { path: '/fromSnapshotToken' }),
    )
    expect(await refused('asked', { fromSnapshotToken: 'abc' })).toMatchObject({
      errorName: 'InvalidSnapshotToken',
    })
  })

  it('tooOld: after the days for which changes are kept, but never since the latest state', async () => {
    const { type } = await loadItems(service.store, service.ontology, 3, 'old')
    const before = await stateOf('old')
    await manage.commit([put({ id: itemId(1), rank: 5 })], { objectType: 'old' })
    await letTimePass(service.store, type, 6.9 * 86_400)
    await service.store.prune(type, days(7))
    const pages = await readChanges(service, { objectType: 'old', asks: since(before) })
    expect(sorted(applied(before.copy, pages))).toEqual(sorted((await stateOf('old')).copy))
    const latest = await stateOf('old')
    await letTimePass(service.store, type, 0.2 * 86_400)
    // The floor is raised by the first, and what is below it deleted by the second.
    await service.store.prune(type, days(7))
    await service.store.prune(type, days(7))
    expect(await refused('old', since(before))).toEqual(expired('old', 'tooOld'))
    expect(await readChanges(service, { objectType: 'old', asks: since(latest) })).toMatchObject([
      { data: [] },
    ])
    const kept = await service.store.database.rows({
      text: `select count(*) as rows from ${type.tables.changes}`,
      values: [],
    })
    expect(kept).toEqual([{ rows: '0' }])
    await manage.commit([remove(itemId(1))], { objectType: 'old' })
    const next = await readChanges(service, { objectType: 'old', asks: since(latest) })
    expect(sorted(applied(latest.copy, next))).toEqual(sorted((await stateOf('old')).copy))
  })

  it('tooOld: with a query, when the state itself is not kept any more', async () => {
    const { type } = await loadItems(service.store, service.ontology, 3, 'queried')
    const before = await stateOf('queried')
    await manage.commit([put({ id: itemId(1), rank: 5 })], { objectType: 'queried' })
    const query = { type: 'eq', field: 'id', value: itemId(1) }
    expect(
      await readChanges(service, { objectType: 'queried', asks: { ...since(before), query } }),
    ).toHaveLength(1)
    await letTimePass(service.store, type, 7_200)
    await service.store.prune(type, days(7))
    expect(await refused('queried', { ...since(before), query })).toEqual(expired('queried', 'tooOld'))
    expect(await readChanges(service, { objectType: 'queried', asks: since(before) })).toHaveLength(1)
  })

  it('tooOld: after a load into an empty type; a load that replaces most of a type is remembered', async () => {
    const type = await service.store.applyObjectType(service.ontology, itemDefinition('loaded'))
    const before = await stateOf('loaded')
    const { begin, sendPart, finish } = peopleInLoads(() => ({ store: service.store, type }))
    const load = async (objects: readonly object[], replaces: boolean) => {
      const id = await begin(replaces)
      await sendPart(
        id,
        1,
        objects.map((object) => ({ ...object })),
      )
      return finish(id)
    }
    expect(await load(items(50), false)).toMatchObject({ way: 'table' })
    expect(await refused('loaded', since(before))).toEqual(expired('loaded', 'tooOld'))
    const whole = await stateOf('loaded')
    const others = items(50).map((item, i) => (i < 40 ? { ...item, rank: 1_000 } : item))
    expect(await load([...others, { id: 'new', rank: 1 }], true)).toMatchObject({ way: 'rows' })
    const pages = await readChanges(service, { objectType: 'loaded', asks: since(whole), pageSize: () => 7 })
    expect(changesOf(pages)).toHaveLength(41)
    expect(sorted(applied(whole.copy, pages))).toEqual(sorted((await stateOf('loaded')).copy))
  })

  it('historyChanged: when another commit has the version, or none', async () => {
    const { type } = await loadItems(service.store, service.ontology, 3, 'lost')
    const token = (version: string, tag: string) => ({
      fromSnapshotToken: sealerWith().sealSnapshot({
        ontologyRid: service.ontology.rid,
        versions: new Map([[type.id, { version, tag }]]),
      }),
    })
    expect(await refused('lost', token('1', 'ab'.repeat(8)))).toEqual(expired('lost', 'historyChanged'))
    expect(await refused('lost', token('9', 'ab'.repeat(8)))).toEqual(expired('lost', 'historyChanged'))
  })
})
