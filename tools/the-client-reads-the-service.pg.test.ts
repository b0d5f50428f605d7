// The client and the service together, over real HTTP. The client's own package tests it against broken servers.
import { createClient, OctavoError, type Client } from '@octavo/client'
import { freshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ontology } from '../packages/service/test/inside.ts'
import { itemDefinition, items, loadItems, putItems } from '../packages/service/test/support/load-items.ts'
import { startTestService, type TestService } from '../packages/service/test/support/start-test-service.ts'
import { testToken } from '../packages/service/test/support/test-access.ts'
import { readAll } from './prove-client/read-all.ts'

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
    expect(await failureOf(objects.get(9))).toMatchObject({
      errorName: 'ObjectNotFound',
      parameters: { objectType: 'numbered', primaryKey: '9' },
    })
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
  expect(failure).toMatchObject({ errorName: 'ObjectsExceededLimit', parameters: { limit: 10_000 } })
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

it('P255: the parts of a collection are read side by side, and together they are the collection', async () => {
  const { parts, totalCount } = await client.family('read').objects('item').parts(5, { pageSize: 100 })
  expect(parts).toHaveLength(5)
  expect(totalCount).toBe('2500')
  const read = await Promise.all(parts.map((part) => readAll(part)))
  expect(read.flat().map(({ primaryKey }) => primaryKey)).toEqual(items(2_500).map(({ id }) => id))
  const [text] = (await client.family('read').objects('item').parts(2)).parts.map((part) => part.save())
  expect(await readAll(client.resume(text ?? ''))).toHaveLength(1_250)
})
