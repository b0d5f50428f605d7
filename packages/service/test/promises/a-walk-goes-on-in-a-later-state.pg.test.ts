// A walk that paused for too long continues in the latest state: the changes of what it has returned, then the rest, nothing twice.
import { seededRandom } from '@octavo/model'
import type { ChangesPage, ObjectTypeDefinition, ContinueWith } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { applied, askForChanges, changesOf, readState, sorted } from '../support/changes-over-http.ts'
import { refusalOf } from '../support/error-answer.ts'
import { letTimePass } from '../support/let-time-pass.ts'
import { itemDefinition, itemId, loadItems, putItems } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { resealed } from '../support/reseal-token.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { contentOf, type WirePage } from '../support/walk-over-http.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

type Asks = Readonly<Record<string, unknown>>
type Copy = Map<string, string>

const ask = (objectType: string, asks: Asks) =>
  answerOf(
    service,
    `/api/promised/v1/objects/types/${objectType}/search`,
    jsonBody({ query: { type: 'empty' }, snapshot: true, pageSize: 4, ...asks }),
  )

async function page(objectType: string, asks: Asks): Promise<WirePage> {
  return contentOf<WirePage>(ask(objectType, asks))
}

const take = (copy: Copy, { data }: WirePage): void => {
  for (const object of data) {
    const key = String(object['primaryKey'])
    if (copy.has(key)) throw new Error(`${key} was read twice.`)
    copy.set(key, JSON.stringify(object))
  }
}

/** Reads so many pages; the rest is for later. */
async function begin(objectType: string, pages: number, asks: Asks = {}) {
  const copy: Copy = new Map()
  let pageToken: string | undefined
  for (let i = 0; i < pages; i += 1) {
    const read = await page(objectType, { ...asks, pageToken })
    take(copy, read)
    pageToken = read.nextPageToken
  }
  if (pageToken === undefined) throw new Error('the walk has ended')
  return { copy, pageToken }
}

/** The states before now are no longer kept; what has changed since them is. */
async function pruneStates(objectType: string): Promise<void> {
  const type = await service.store.catalog.objectType(service.ontology, objectType)
  if (type === undefined) throw new Error(`no type ${objectType}`)
  await letTimePass(service.store, type, 7_200)
  const times = { retentionSeconds: 3_600, settleSeconds: 0, commitsKeptSeconds: 7 * 86_400 }
  await service.store.prune(type, times)
}

const aged = (token: string): string =>
  resealed(token, (claims) => ({ ...claims, issuedAtSeconds: claims.issuedAtSeconds - 1_000 }))

const continueWithOf = (answer: Parameters<typeof refusalOf>[0]): ContinueWith => {
  const { continueWith } = refusalOf(answer).parameters as { readonly continueWith?: ContinueWith }
  if (continueWith === undefined) throw new Error(`no continueWith: ${answer.text}`)
  return continueWith
}

async function changesIn(
  objectType: string,
  { fromSnapshotToken, toSnapshotToken, changesPageToken }: ContinueWith,
  asks: Asks = {},
) {
  const pages: ChangesPage[] = []
  let pageToken: string | undefined = changesPageToken
  while (pageToken !== undefined) {
    const answer = await askForChanges(service, {
      objectType,
      asks: { fromSnapshotToken, toSnapshotToken, pageToken, pageSize: 3, ...asks },
    })
    if (answer.status !== 200) throw new Error(answer.text)
    const read = JSON.parse(answer.text) as ChangesPage
    pages.push(read)
    pageToken = read.nextPageToken
  }
  return pages
}

async function finish(
  objectType: string,
  copy: Copy,
  continueWith: ContinueWith,
  asks: Asks = {},
): Promise<void> {
  for (let pageToken: string | undefined = continueWith.pageToken; pageToken !== undefined;) {
    const read: WirePage = await page(objectType, { ...asks, pageToken })
    take(copy, read)
    pageToken = read.nextPageToken
  }
}

describe('P246, P247: what a walk has returned, with its changes, and the rest are one state', () => {
  const keysOf: Readonly<Record<string, (i: number) => unknown>> = {
    string: (i) => `${'é'.repeat(i % 3)}"k\\${i}`,
    integer: (i) => (i % 2 === 0 ? i : -i),
    long: (i) => String(BigInt(i) * 900_719_925_474_099_3n),
    date: (i) => new Date(86_400_000 * i).toISOString().slice(0, 10),
    timestamp: (i) => new Date(1_234_567 * i).toISOString(),
  }
  it.for(Object.keys(keysOf))('with keys of the type %s', async (keyType) => {
    const random = seededRandom(11)
    const definition: ObjectTypeDefinition = {
      ...itemDefinition(`continued-${keyType}`),
      titleProperty: 'id',
      properties: { id: { type: keyType as 'string' }, rank: { type: 'integer' } },
    }
    const { apiName: objectType } = definition
    const stored = await service.store.applyObjectType(service.ontology, definition)
    const key = keysOf[keyType] ?? String
    await putItems(
      service.store,
      stored,
      Array.from({ length: 40 }, (_, i) => ({ id: key(i * 2), rank: 1 })),
    )
    for (const pages of [1, 4, 9]) {
      const { copy, pageToken } = await begin(objectType, pages)
      for (let i = 0; i < 6; i += 1) {
        const lines = Array.from({ length: 8 }, () => {
          const id = key(random.integer(0, 80))
          return random.chance(0.4) ? remove(id) : put({ id, rank: random.integer(0, 99) })
        })
        await manage.commit(lines, { objectType })
      }
      await pruneStates(objectType)
      const refused = await ask(objectType, { pageToken })
      expect(refusalOf(refused)).toMatchObject({ status: 409, errorName: 'ConsistentSnapshotError' })
      const continueWith = continueWithOf(refused)
      // Later writes are not in the state in which it continues.
      const latest = await readState(service, { objectType, asks: {} })
      await manage.commit([put({ id: key(1), rank: 7_777 }), remove(key(2))], { objectType })
      const changes = await changesIn(objectType, continueWith)
      const after: Copy = new Map(applied(copy, changes))
      // Changes after the last key are not among them: they come with the rest.
      await finish(objectType, after, continueWith)
      expect(sorted(after)).toEqual(sorted(latest.copy))
      expect(changes.at(-1)).toMatchObject({ toVersion: latest.version })
    }
  })
})

it('P246: a walk whose token expired in a state that is kept continues as well, with the snapshot token of the request', async () => {
  await loadItems(service.store, service.ontology, 30, 'paused')
  const { snapshotToken } = await readState(service, { objectType: 'paused', asks: {} })
  const { copy, pageToken } = await begin('paused', 3, { snapshotToken, select: ['rank'] })
  await manage.commit(
    [remove(itemId(1)), put({ id: itemId(2), rank: 9 }), put({ id: itemId(20), rank: 9 })],
    {
      objectType: 'paused',
    },
  )
  const asks = { snapshotToken, select: ['rank'], pageToken: aged(pageToken) }
  const refused = await ask('paused', asks)
  expect(refusalOf(refused)).toMatchObject({ status: 400, parameters: { reason: 'expired' } })
  expect(JSON.parse(refused.text)).toMatchObject({
    errorDescription: expect.stringContaining('continue in the latest state') as unknown,
  })
  const continueWith = continueWithOf(refused)
  const changes = await changesIn('paused', continueWith, { select: ['rank'] })
  expect(changesOf(changes).map(({ type, primaryKey }) => `${type} ${primaryKey}`)).toEqual([
    `put ${itemId(2)}`,
    `delete ${itemId(1)}`,
  ])
  expect(changes.at(-1)).not.toHaveProperty('totalCount')
  expect(changes.at(-1)).not.toHaveProperty('checksum')
  const after: Copy = new Map(applied(copy, changes))
  // The request of the walk, with the state in which it continues.
  const other = await ask('paused', { ...asks, pageToken: continueWith.pageToken })
  expect(refusalOf(other)).toMatchObject({ parameters: { reason: 'requestChanged', changed: ['snapshot'] } })
  await finish('paused', after, continueWith, {
    snapshotToken: continueWith.toSnapshotToken,
    select: ['rank'],
  })
  const latest = await readState(service, { objectType: 'paused', asks: { select: ['rank'] } })
  expect(sorted(after)).toEqual(sorted(latest.copy))
})

it('P246: only a walk of all objects in the order of the key can continue', async () => {
  await loadItems(service.store, service.ontology, 30, 'others')
  const aWalk = async (asks: Asks) => {
    const { pageToken } = await begin('others', 1, asks)
    return refusalOf(await ask('others', { ...asks, pageToken: aged(pageToken) })).parameters
  }
  expect(await aWalk({})).toHaveProperty('continueWith')
  for (const asks of [
    { query: { type: 'gte', field: 'id', value: itemId(0) } },
    { orderBy: { fields: [{ field: 'rank', direction: 'asc' }] } },
    { orderBy: { fields: [{ field: 'id', direction: 'desc' }] } },
    { snapshot: false },
  ]) {
    expect(await aWalk(asks), JSON.stringify(asks)).toEqual({ reason: 'expired' })
  }
  expect(await aWalk({ orderBy: { fields: [{ field: 'id', direction: 'asc' }] } })).toHaveProperty(
    'continueWith',
  )
})

it('P247, P275: a walk cannot continue if the changes since its state are not known', async () => {
  const { type } = await loadItems(service.store, service.ontology, 30, 'forgotten')
  const { pageToken } = await begin('forgotten', 2)
  await manage.commit([put({ id: itemId(1), rank: 1 })], { objectType: 'forgotten' })
  await letTimePass(service.store, type, 20 * 86_400)
  const times = { retentionSeconds: 3_600, settleSeconds: 0, commitsKeptSeconds: 7 * 86_400 }
  // The floor is raised by the first, and what is below it deleted by the second.
  await service.store.prune(type, times)
  await service.store.prune(type, times)
  const continueWith = continueWithOf(await ask('forgotten', { pageToken }))
  const { fromSnapshotToken, toSnapshotToken, changesPageToken } = continueWith
  const refused = await askForChanges(service, {
    objectType: 'forgotten',
    asks: { fromSnapshotToken, toSnapshotToken, pageToken: changesPageToken },
  })
  expect(refusalOf(refused)).toMatchObject({ errorName: 'ChangesExpired', parameters: { reason: 'tooOld' } })
})

it('P14, P247: the tokens are those of the caller and of this request', async () => {
  await loadItems(service.store, service.ontology, 30, 'bound-walk')
  const { pageToken } = await begin('bound-walk', 2)
  const { fromSnapshotToken, toSnapshotToken, changesPageToken } = continueWithOf(
    await ask('bound-walk', { pageToken: aged(pageToken) }),
  )
  const changed = await askForChanges(service, {
    objectType: 'bound-walk',
    asks: { fromSnapshotToken, toSnapshotToken, pageToken: changesPageToken, select: ['rank'] },
  })
  expect(refusalOf(changed)).toMatchObject({ parameters: { reason: 'requestChanged', changed: ['select'] } })
  const search = await ask('bound-walk', { pageToken: changesPageToken })
  expect(refusalOf(search)).toMatchObject({ parameters: { reason: 'requestChanged' } })
})
