// The client and the service together, over real HTTP. The client's own package tests it against broken servers.
import {
  createClient,
  hashOfObject,
  OctavoError,
  sumOfChecksums,
  type Client,
  type FoundObject,
} from '@octavo/client'
import { freshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ontology } from '../packages/service/test/inside.ts'
import { itemDefinition, items, loadItems, putItems } from '../packages/service/test/support/load-items.ts'
import { startTestService, type TestService } from '../packages/service/test/support/start-test-service.ts'
import { testToken } from '../packages/service/test/support/test-access.ts'
import { readAll } from '../proofs/harness/read-all.ts'
import { errorNamed } from '../packages/service/test/support/named-errors.ts'

let service: TestService
let ontology: Ontology
let client: Client

beforeAll(async () => {
  const database = await freshDatabase()
  service = await startTestService({ databaseUrl: database.url })
  ontology = await service.store.applyOntology({
    apiName: 'read',
    displayName: 'Read',
    apiFamilies: ['read'],
  })
  await loadItems(service.store, ontology, 2_500, 'item')
  const number = await service.store.applyObjectType(ontology, {
    ...itemDefinition('numbered'),
    links: {},
    primaryKey: 'rank',
    titleProperty: 'rank',
    properties: { rank: { type: 'integer' }, label: { type: 'string', searchable: true } },
  })
  await putItems(service.store, number, [
    { rank: 7, label: 'Ada Byron' },
    { rank: 8, label: 'Alan Mathison' },
  ])
  client = createClient({ url: service.url, token: testToken })
})

afterAll(() => service.close())

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

it.for([false, true])('reads every object in both revisions, snapshot %s', async (snapshot) => {
  const expected = items(2_500).map(({ id }) => id)
  const options = { snapshot, pageSize: 400 }
  const listed = await readAll(client.ontology(ontology.rid).objects('item').all(options))
  expect(listed.map(({ properties }) => properties['id'])).toEqual(expected)
  const found = await readAll(client.family('read').objects('item').all(options))
  expect(found.map(({ primaryKey }) => primaryKey)).toEqual(expected)
})

it('a snapshot walk does not see what is written after its first page', async () => {
  const type = await loadItems(service.store, ontology, 300, 'changing')
  const walk = client.family('read').objects('changing').all({ snapshot: true, pageSize: 50, readAhead: 0 })
  const keys: string[] = []
  for await (const { data } of walk.pages()) {
    keys.push(...data.map(({ primaryKey }) => primaryKey))
    await putItems(service.store, type.type, [{ id: `i9-${keys.length}`, rank: 1 }])
  }
  expect(keys).toEqual(items(300).map(({ id }) => id))
})

it('gets one object by its key in both revisions, or says that there is none', async () => {
  const listed = client.ontology(ontology.rid).objects('numbered')
  const found = client.family('read').objects('numbered')
  expect((await listed.get(7)).properties).toEqual({ rank: 7, label: 'Ada Byron' })
  expect(await found.get(7)).toMatchObject({ primaryKey: '7', properties: { label: 'Ada Byron' } })
  expect((await found.get('8', { select: [] })).properties).toEqual({ rank: 8 })
  for (const objects of [listed, found]) {
    expect(await failureOf(objects.get(9))).toMatchObject(
      errorNamed('ObjectNotFound', { objectType: 'numbered', primaryKey: '9' }),
    )
  }
})

it('searches with every part of the query language', async () => {
  const numbered = client.family('read').objects('numbered')
  const keysOf = async (walk: ReturnType<typeof numbered.search>) =>
    (await readAll(walk)).map(({ primaryKey }) => primaryKey)
  expect(await keysOf(numbered.search((q) => q.prefix('label', 'ada by')))).toEqual(['7'])
  expect(await keysOf(numbered.search((q) => q.not(q.or(q.eq('rank', 7), q.keyword('nobody')))))).toEqual([
    '8',
  ])
  const descending = { orderBy: [{ field: 'rank', direction: 'desc' }] } as const
  expect(
    await keysOf(numbered.search((q) => q.and(q.gte('rank', 7), q.isNotNull('label')), descending)),
  ).toEqual(['8', '7'])
  const filtered = client
    .ontology(ontology.rid)
    .objects('numbered')
    .all({ filters: { label: { eq: 'Ada Byron' } } })
  expect(await readAll(filtered)).toHaveLength(1)
})

it('a list that is too long says to read it through a family', async () => {
  await loadItems(service.store, ontology, 10_001, 'many')
  let count = 0
  const failure = await failureOf(
    (async () => {
      for await (const { rid } of client.ontology(ontology.rid).objects('many').all())
        count += rid === '' ? 0 : 1
    })(),
  )
  expect(count).toBe(10_000)
  expect(failure).toBeInstanceOf(OctavoError)
  expect(failure).toMatchObject(errorNamed('ObjectsExceededLimit', { limit: 'objects', maximum: 10_000 }))
  expect(String(failure)).toContain('client.family(name).objects(type).all()')
  expect(await readAll(client.family('read').objects('many').all())).toHaveLength(10_001)
})

it('lists the ontologies of the caller, and says when a token is refused', async () => {
  expect((await readAll(client.ontologies())).map(({ rid }) => rid)).toEqual([ontology.rid])
  const other = createClient({ url: service.url, token: 'wrong' })
  expect(await failureOf(readAll(other.ontologies()))).toMatchObject({
    errorName: 'Default:Unauthorized',
    status: 401,
  })
})

it('P255: the partitions of a collection are read side by side, and together they are the collection', async () => {
  const { partitions, totalCount } = await client
    .family('read')
    .objects('item')
    .partitions(5, { pageSize: 100 })
  expect(partitions).toHaveLength(5)
  expect(totalCount).toBe('2500')
  const read = await Promise.all(partitions.map((partition) => readAll(partition)))
  expect(read.flat().map(({ primaryKey }) => primaryKey)).toEqual(items(2_500).map(({ id }) => id))
  const [text] = (await client.family('read').objects('item').partitions(2)).partitions.map((partition) =>
    partition.save(),
  )
  expect(await readAll(client.resume(text ?? ''))).toHaveLength(1_250)
})

it('P270, P276: a copy that follows a collection is equal to each state that it is given, while others write', async () => {
  const { type } = await loadItems(service.store, ontology, 300, 'followed')
  const objects = client.family('read').objects('followed')
  const noHashes = '0'.repeat(16)
  let copy = new Map<string, FoundObject>()
  let checksum: string | undefined = noHashes
  const stop = new AbortController()
  let [restarts, deletes] = [0, 0]
  const following = objects
    .follow({ pageSize: 20, waitSeconds: 5, signal: stop.signal })
    .each(async (difference) => {
      restarts += difference.restarts === undefined ? 0 : 1
      const later = new Map(difference.restarts ? [] : copy)
      let sum = difference.restarts ? noHashes : checksum
      const named = new Set<string>()
      for await (const change of difference) {
        const { primaryKey } = change
        expect(named).not.toContain(primaryKey)
        named.add(primaryKey)
        const before = later.get(primaryKey)
        const replaced = before === undefined ? [] : [hashOfObject(before)]
        if (change.type === 'put') {
          later.set(primaryKey, change.object)
          sum = sumOfChecksums([sum, hashOfObject(change.object)], replaced)
        } else {
          expect(later.delete(primaryKey)).toBe(true)
          deletes += 1
          sum = sumOfChecksums([sum], replaced)
        }
      }
      expect(difference.totalCount).toBe(String(later.size))
      expect(difference.checksum).toBe(sum)
      ;[copy, checksum] = [later, sum]
    })
  await expect.poll(() => copy.size, { timeout: 20_000 }).toBe(300)
  for (let round = 0; round < 30; round += 1) {
    const puts = items(60).map((item) => ({ ...item, id: `i${round % 3}-${item.id}`, rank: round }))
    await putItems(service.store, type, puts.slice(round, round + 25))
    const keys = [items(300)[round]?.id ?? '', `i${(round + 2) % 3}-${items(60)[round]?.id}`]
    const changes = keys.map((key) => ({ kind: 'delete', key }) as const)
    await service.store.commit({ parts: [{ type, changes }] })
  }
  const state = new Map(
    (await readAll(objects.all({ snapshot: true }))).map((each) => [each.primaryKey, each]),
  )
  await expect.poll(() => copy.size, { timeout: 20_000 }).toBe(state.size)
  await expect.poll(() => copy, { timeout: 20_000 }).toEqual(state)
  expect(restarts).toBe(1)
  expect(deletes).toBeGreaterThanOrEqual(30)
  stop.abort()
  await following
})
