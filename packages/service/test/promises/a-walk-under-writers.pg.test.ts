// Writers run while pages are read. Both modes make exact promises for that case, and the test checks them exactly.
import { type Random, seededRandom } from '@octavo/model'
import { letTimePass } from '../support/let-time-pass.ts'
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import type { ObjectType } from '../../src/catalog/object-type.ts'
import type { Change } from '../../src/write/commit/change.ts'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { collectionOf, itemDefinition, itemId, loadItems } from '../support/load-items.ts'
import { listing, revisions, type Collection } from '../support/page-revisions.ts'
import { putObject } from '../support/put-object.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { askForPage, readPage, walkOverHttp, type HttpWalk } from '../support/walk-over-http.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)

const put = (type: ObjectType, id: string, rank: number): Change => putObject(type, { id, rank })

/** Repeats `write` until the work is done; a failed write fails the test. */
async function whileWriting<T>(write: (number: number) => Promise<void>, work: () => Promise<T>): Promise<T> {
  const done = new AbortController()
  const writer = async () => {
    for (let number = 0; !done.signal.aborted; number += 1) {
      await write(number)
      await breathe()
    }
  }
  const writing = writer()
  try {
    return await work()
  } finally {
    done.abort()
    await writing
  }
}

const idsOf = ({ records }: HttpWalk) => records.map(({ properties }) => String(properties['id']))
const randomSize = (random: Random) => () => (random.chance(0.2) ? 1 : random.integer(1, 60))

let made = 0
async function newType(): Promise<{ readonly type: ObjectType; readonly collection: Collection }> {
  made += 1
  const type = await service.store.applyObjectType(service.ontology, itemDefinition(`written${made}`))
  return { type, collection: collectionOf(service.ontology, type) }
}

describe.for(revisions)('in revision $name', (revision) => {
  it('P33: in key order, what exists all through a default walk comes exactly once, and nothing comes twice', async () => {
    const { type, collection } = await newType()
    const random = seededRandom(33)
    const commit = (changes: readonly Change[]) => service.store.commit({ parts: [{ type, changes }] })
    // Objects that stay have even numbers; objects with odd numbers are created and deleted around them.
    const stay = Array.from({ length: 300 }, (_, i) => itemId(2 * i))
    await commit(stay.map((id) => put(type, id, 1)))
    let commits = 0
    const churn = async () => {
      const changes = Array.from({ length: 20 }, (): Change => {
        const id = itemId(2 * random.integer(-1, 299) + 3)
        return random.chance(0.5) ? put(type, id, random.integer(0, 9)) : { kind: 'delete', key: id }
      })
      // Objects that stay change too, in everything but their key.
      changes.push(put(type, stay[random.integer(0, 299)] ?? '', random.integer(0, 9)))
      await commit(changes)
      commits += 1
    }
    let foreign = 0
    // A load that is too small would prove nothing.
    const isEnough = () => commits >= 20 && foreign >= 20
    await whileWriting(churn, async () => {
      for (let round = 0; round < 8 || !isEnough(); round += 1) {
        const pageSize = round === 0 ? () => 1 : randomSize(random)
        const ids = idsOf(await walkOverHttp(service, revision, collection, { pageSize, restMayGo: true }))
        expect(ids).toEqual([...new Set(ids)].sort())
        expect(ids.filter((id) => Number(id.slice(1)) % 2 === 0)).toEqual(stay)
        foreign += ids.length - stay.length
      }
    })
  })

  it('P34: in another order, what keeps its place all through comes exactly once', async () => {
    const { type, collection } = await newType()
    const random = seededRandom(34)
    const commit = (changes: readonly Change[]) => service.store.commit({ parts: [{ type, changes }] })
    const stay = Array.from({ length: 200 }, (_, i) => itemId(2 * i))
    const wander = Array.from({ length: 100 }, (_, i) => itemId(2 * i + 1))
    await commit([...stay, ...wander].map((id, i) => put(type, id, i % 50)))
    let commits = 0
    const churn = async () => {
      const some = Array.from({ length: 20 }, () => wander[random.integer(0, 99)] ?? '')
      await commit(some.map((id) => put(type, id, random.integer(0, 49))))
      commits += 1
    }
    const isEnough = () => commits >= 20
    await whileWriting(churn, async () => {
      for (let round = 0; round < 6 || !isEnough(); round += 1) {
        const orderBy = [{ property: 'rank', direction: round % 2 === 0 ? 'asc' : 'desc' }] as const
        const walk = await walkOverHttp(service, revision, collection, {
          orderBy,
          pageSize: randomSize(random),
          restMayGo: true,
        })
        const ids = idsOf(walk).filter((id) => Number(id.slice(1)) % 2 === 0)
        expect(ids.toSorted()).toEqual(stay)
      }
    })
  })

  it('P35, P37, P38: a snapshot walk is exactly the state of one commit, not older than its first request', async () => {
    const { type, collection } = await newType()
    const random = seededRandom(35)
    // The first object in key order tells which commit a state belongs to; a commit changes dozens of others with it.
    const states: ReadonlyMap<string, number>[] = []
    let acknowledged = -1
    const write = async (number: number) => {
      const state = new Map(states.at(-1) ?? [])
      for (let i = 0; i < 40; i += 1) {
        const id = itemId(random.integer(1, 250))
        if (random.chance(0.6)) state.set(id, number)
        else state.delete(id)
      }
      state.set(itemId(0), number)
      const before = states.at(-1) ?? new Map<string, number>()
      const changes: Change[] = [...state]
        .filter(([id, rank]) => before.get(id) !== rank)
        .map(([id, rank]) => put(type, id, rank))
      for (const id of before.keys()) if (!state.has(id)) changes.push({ kind: 'delete', key: id })
      states.push(state)
      await service.store.commit({ parts: [{ type, changes }] })
      acknowledged = number
    }
    const first = 10
    for (let number = 0; number < first; number += 1) await write(number)
    const epochs = new Set<number>()
    let during = 0
    await whileWriting(
      (number) => write(first + number),
      async () => {
        for (let round = 0; round < 24 || epochs.size <= 10 || during <= 50; round += 1) {
          const orderBy = [
            [],
            [{ property: 'rank', direction: 'desc' }],
            [{ property: 'id', direction: 'desc' }],
          ] as const
          const atLeast = acknowledged
          let atMost = 0
          const walk = await walkOverHttp(service, revision, collection, {
            snapshot: true,
            orderBy: orderBy[round % 3],
            pageSize: round < 3 ? () => 7 : randomSize(random),
            afterPage: async (_page, number) => {
              if (number === 1) atMost = states.length - 1
            },
          })
          const seen = walk.records.map(({ properties }) => [properties['id'], properties['rank']] as const)
          const epoch = Number(seen.find(([id]) => id === itemId(0))?.[1])
          expect(epoch).toBeGreaterThanOrEqual(atLeast)
          expect(epoch).toBeLessThanOrEqual(atMost)
          const byId = [...(states[epoch] ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1))
          const expected = {
            0: byId,
            1: byId.toReversed().toSorted(([, a], [, b]) => b - a),
            2: byId.toReversed(),
          }[round % 3]
          expect(seen).toEqual(expected)
          if (revision.name === '1.0') {
            expect(new Set(walk.pages.map((page) => page.totalCount))).toEqual(new Set([String(seen.length)]))
          }
          epochs.add(epoch)
          during += states.length - 1 - epoch
        }
      },
    )
  })

  it('P6, P37: the end of a collection that grows is only said when it was the end of what the page shows', async () => {
    const { type, collection } = await newType()
    const size = 25
    // Each commit adds two objects at the end, so no state has an odd number of objects.
    const grow = async (number: number) => {
      const changes = [2 * number, 2 * number + 1].map((each) => put(type, itemId(each), number))
      await service.store.commit({ parts: [{ type, changes }] })
      // Slower than the walks, which would otherwise never reach the end.
      await sleep(4)
    }
    await grow(0)
    let ends = 0
    await whileWriting(
      (number) => grow(number + 1),
      async () => {
        for (let round = 0; round < 30; round += 1) {
          const ids = idsOf(
            await walkOverHttp(service, revision, collection, {
              pageSize: () => (round % 3 === 0 ? size : 1_000),
              afterPage: async (page, number) => {
                if (page.totalCount === undefined || number > 1) return
                expect(page.data.length === Number(page.totalCount)).toBe(!('nextPageToken' in page))
              },
            }),
          )
          expect(ids).toEqual(ids.map((_, i) => itemId(i)))
          expect(ids.length % 2).toBe(0)
          ends += 1
        }
      },
    )
    expect(ends).toBe(30)
  })

  it('P32, P38: a default page shows what was acknowledged before its request, also in the middle of a walk', async () => {
    const { type, collection } = await newType()
    const commit = (changes: readonly Change[]) => service.store.commit({ parts: [{ type, changes }] })
    await commit(Array.from({ length: 10 }, (_, i) => put(type, itemId(10 * i), 0)))
    const first = await readPage(service, revision, collection, { pageSize: 3 })
    await commit([put(type, itemId(25), 7), put(type, itemId(5), 7), { kind: 'delete', key: itemId(40) }])
    const rest = await readPage(service, revision, collection, { pageToken: first.nextPageToken })
    expect(rest.data.map(({ properties }) => properties['id'])).toEqual(
      [25, 30, 50, 60, 70, 80, 90].map(itemId),
    )
    expect(rest.data[0]?.properties['rank']).toBe(7)
    for (let number = 0; number < 50; number += 1) {
      await commit([put(type, itemId(1), number)])
      for (const snapshot of [false, true]) {
        const { data } = await readPage(service, revision, collection, { snapshot, pageSize: 2 })
        expect(data[1]?.properties).toMatchObject({ id: itemId(1), rank: number })
      }
    }
  })

  it('P5: a walk whose rest is deleted meanwhile ends with an empty page, which is its last', async () => {
    const { type, collection } = await newType()
    const ids = Array.from({ length: 6 }, (_, i) => itemId(i))
    await service.store.commit({ parts: [{ type, changes: ids.map((id) => put(type, id, 0)) }] })
    const first = await readPage(service, revision, collection, { pageSize: 3 })
    await service.store.commit({ parts: [{ type, changes: ids.map((key) => ({ kind: 'delete', key })) }] })
    const last = await readPage(service, revision, collection, {
      pageSize: 3,
      pageToken: first.nextPageToken,
    })
    expect(last.data).toEqual([])
    expect(last).not.toHaveProperty('nextPageToken')
  })

  it('P36: a snapshot is kept for the retention after it stopped being the latest state, then refused', async () => {
    const { type, collection } = await newType()
    const commit = (rank: number) =>
      service.store.commit({
        parts: [{ type, changes: [0, 1, 2, 3].map((i) => put(type, itemId(i), rank)) }],
      })
    const pruneAfter = async (minutes: number) => {
      await letTimePass(service.store, type, minutes * 60)
      await service.store.prune(type, {
        retentionSeconds: 3_600,
        settleSeconds: 60,
        commitsKeptSeconds: 86_400,
      })
    }
    await commit(1)
    const first = await readPage(service, revision, collection, { snapshot: true, pageSize: 2 })
    const rest = () =>
      askForPage(service, revision, collection, {
        snapshot: true,
        pageSize: 2,
        pageToken: first.nextPageToken,
      })
    // As long as it is the latest state, it never expires.
    await pruneAfter(600)
    const second = await rest()
    expect(second.status).toBe(200)
    await commit(2)
    await pruneAfter(59)
    const dataOf = ({ text }: { readonly text: string }) =>
      JSON.stringify((JSON.parse(text) as { data: unknown }).data)
    expect(dataOf(await rest())).toBe(dataOf(second))
    await pruneAfter(2)
    await pruneAfter(2)
    expect(refusalOf(await rest())).toMatchObject(
      errorWith(409, 'ConsistentSnapshotError', { objectType: type.apiName }),
    )
    const again = await readPage(service, revision, collection, { snapshot: true })
    expect(again.data.map(({ properties }) => properties['rank'])).toEqual([2, 2, 2, 2])
  })
})

it('P31: every other list of the API family takes snapshot=false alone, and those under manage do not know it', async () => {
  const { collection } = await loadItems(service.store, service.ontology, 1)
  const managed = `/manage/v1/ontologies/${collection.ontologyRid}`
  const lists = [
    '/api/v1/ontologies',
    `/api/v1/ontologies/${collection.ontologyRid}/objectTypes`,
    `/api/${collection.apiFamily}/v1/objects/types`,
    `/api/${collection.apiFamily}/v1/objects/types/${collection.objectType}/commits`,
  ]
  for (const path of lists) {
    const plain = await answerOf(service, path)
    expect(plain.status, path).toBe(200)
    const { status, text } = await answerOf(service, `${path}?snapshot=false`)
    expect({ status, text }, path).toEqual({ status: 200, text: plain.text })
    const refused = await answerOf(service, `${path}?snapshot=true`)
    expect(refusalOf(refused), path).toMatchObject({ status: 400, errorName: 'InvalidParameterValue' })
    expect(refused.text).toContain('this list has no snapshots')
  }
  for (const path of [
    '/manage/v1/ontologies',
    '/manage/v1/accessTokens',
    ...['objectTypes', 'grants', 'loads', 'audit'].map((list) => `${managed}/${list}`),
  ]) {
    const refused = await answerOf(service, `${path}?snapshot=false`)
    expect(refusalOf(refused), path).toMatchObject(
      errorNamed('UnknownParameter', { unknownParameters: ['snapshot'] }),
    )
  }
  const one = await answerOf(service, `${lists[1]}/${collection.objectType}?snapshot=false`)
  expect(refusalOf(one)).toMatchObject({ errorName: 'UnknownParameter' })
  expect((await askForPage(service, listing, collection, { snapshot: true })).status).toBe(200)
})
