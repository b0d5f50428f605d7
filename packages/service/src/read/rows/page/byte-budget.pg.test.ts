import { beforeAll, describe, expect, it } from 'vitest'
import type { ObjectType } from '../../../catalog/object-type.ts'
import { chooseOrder } from '../../plan/choose-order.ts'
import type { PagePlan } from '../../plan/page-plan.ts'
import { pagePlanOf } from '../../../../test/support/page-plan-of.ts'
import type { RecordShape } from '../../request/page-request.ts'
import { putObject } from '../../../../test/support/put-object.ts'
import { recordSeparator } from '../../sql/record-text.ts'
import { readWalk, recordsOf } from '../../../../test/support/read-walk.ts'
import type { Database } from '../../../postgres/database.ts'
import type { PageRows } from './page-rows.ts'
import { readPage } from './read-page.ts'
import { nothingRead, rowSourcesOf, type RowSources } from '../state/row-sources.ts'
import { snapshotAt } from '../../../../test/support/snapshot-at.ts'
import { databaseThat } from '../../../../test/support/database-that.ts'
import { withStore } from '../../../../test/support/with-store.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const { store, ontology } = withStore()

const newType = (apiName: string) =>
  store.applyObjectType(
    ontology,
    defineType(apiName, { id: 'string', text: 'string', size: 'integer sortable', more: 'string[]' }),
  )

/** An object of exactly this many bytes of JSON. With `others` = 0, all its properties are scalars. */
function objectOf(id: string, bytes: number, others = 0) {
  const object = { id, text: '', ...(others === 0 ? {} : { more: [''] }) }
  const fixed = `"id":"${id}","text":""`.length
  const fixedOthers = '"more":[""]'.length
  return {
    ...object,
    text: 'é'.repeat((bytes - others - fixed) >> 1) + 'x'.repeat((bytes - others - fixed) & 1),
    ...(others === 0 ? {} : { more: ['y'.repeat(others - fixedOthers)] }),
  }
}

const commit = (type: ObjectType, objects: readonly Record<string, unknown>[]) =>
  store.commit({ parts: [{ type, changes: objects.map((object) => putObject(type, object)) }] })

const planOf = (type: ObjectType, plan: Partial<PagePlan>): PagePlan =>
  pagePlanOf(type, { pageSize: 10, byteBudget: 1_000, ...plan })

/** A process that has seen nothing yet, or that believes `largest` to be the size of the largest object. */
const sources = (type: ObjectType, largest?: number) =>
  rowSourcesOf(store.database, {
    elapsed: () => 0,
    lastRead: new Map(largest === undefined ? [] : [[type.tables.current, { ...nothingRead, largest }]]),
  })

it('a page ends before the object that would exceed the budget, and the next one begins with it', async () => {
  const type = await newType('cut')
  await commit(
    type,
    ['a', 'b', 'c', 'd', 'e'].map((id) => objectOf(id, 400)),
  )
  const walk = await readWalk({ readPage: store.readPage, type, pageSize: () => 10, byteBudget: 1_000 })
  expect(walk.pages.map((page) => page.objects)).toEqual([2, 2, 1])
  expect(walk.pages.map((page) => page.position)).toEqual([['b'], ['d'], undefined])
  expect(walk.objects.map((object) => object['primaryKey'])).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('a page that holds exactly the budget is not cut', async () => {
  const type = await newType('exact')
  await commit(
    type,
    ['a', 'b', 'c'].map((id) => objectOf(id, 500)),
  )
  const two = await store.readPage(planOf(type, { pageSize: 2, byteBudget: 10_000 }))
  const byteBudget = two.records.length + recordSeparator('2.0').length
  const exact = await store.readPage(planOf(type, { byteBudget }))
  const oneLess = await store.readPage(planOf(type, { byteBudget: byteBudget - 1 }))
  expect([exact.objects, oneLess.objects]).toEqual([2, 1])
})

it('one object is always sent, however large it is, and never more than the budget allows with it', async () => {
  const type = await newType('large')
  await commit(type, [objectOf('a', 5_000), objectOf('b', 100), objectOf('c', 5_000), objectOf('d', 100)])
  for (const pageSize of [1, 2, 10, 1000]) {
    const walk = await readWalk({
      readPage: store.readPage,
      type,
      pageSize: () => pageSize,
      byteBudget: 1_000,
    })
    expect(walk.pages.map((page) => page.objects)).toEqual([1, 1, 1, 1])
    expect(walk.objects.map((object) => object['primaryKey'])).toEqual(['a', 'b', 'c', 'd'])
  }
})

it('the last page of a walk says that nothing is left, also when it holds one object over the budget', async () => {
  const type = await newType('last')
  await commit(type, [objectOf('a', 5_000)])
  const page = await store.readPage(planOf(type, { byteBudget: 1 }))
  expect(page).toMatchObject({ objects: 1, more: false, position: undefined })
})

it('walks cut by the budget lose nothing, in every order, latest and at a version', async () => {
  const type = await newType('walks')
  const objects = Array.from({ length: 40 }, (_, i) => ({
    ...objectOf(String(i).padStart(2, '0'), 100 + ((i * 7919) % 900), i % 3 === 0 ? 50 : 0),
    size: i % 4 === 0 ? null : i % 5,
  }))
  await commit(type, objects)
  await commit(
    type,
    objects.slice(0, 20).map((object) => ({ ...object, text: '' })),
  )
  for (const direction of ['asc', 'desc'] as const) {
    for (const property of ['id', 'size']) {
      for (const record of ['1.0', '2.0'] as const) {
        const walk = await readWalk({
          readPage: store.readPage,
          type,
          order: [{ property, direction }],
          record,
          at: await snapshotAt(store, type, '1'),
          pageSize: () => 7,
          byteBudget: 2_500,
        })
        expect(
          walk.objects.map((object) => String(object['primaryKey'] ?? object.properties['id'])).toSorted(),
        ).toEqual(objects.map(({ id }) => id))
        expect(new Set(walk.pages.map((page) => page.objects)).size).toBeGreaterThan(2)
      }
    }
  }
})

it.each<[RecordShape]>([['1.0'], ['2.0']])(
  'a page of %s objects is the same whatever the process believed about their size',
  async (record) => {
    const type = await newType(`same-${record}`)
    // Mostly others, which a listed object does not contain: what is not sent does not count.
    await commit(
      type,
      ['a', 'b', 'c', 'd'].map((id) => objectOf(id, 400, 300)),
    )
    const pages = await Promise.all(
      [undefined, 0, 1, 100, 400, 10_000].map((largest) =>
        readPage(sources(type, largest), planOf(type, { record, byteBudget: 1_000 })),
      ),
    )
    for (const page of pages) {
      expect(page).toMatchObject(
        record === '2.0'
          ? { objects: 2, more: true, position: ['b'] }
          : { objects: 4, more: false, position: undefined },
      )
      expect(recordsOf(page)).toEqual(recordsOf(pages[0] ?? page))
    }
  },
)

it('what is known of the size grows with larger objects and leaves the sum out where no page can be too large', async () => {
  const type = await newType('hint')
  await commit(
    type,
    ['a', 'b'].map((id) => objectOf(id, 100)),
  )
  const plan = planOf(type, { byteBudget: 2_000 })
  const known = sources(type)
  const texts: string[] = []
  const watched: RowSources = {
    ...known,
    database: databaseThat(store.database, {
      eachRow: (query, takeRow) => (texts.push(query.text), store.database.eachRow(query, takeRow)),
    }),
  }
  await readPage(watched, plan)
  expect(known.lastRead.get(type.tables.current)?.largest).toBe(100)
  await readPage(watched, plan)
  await commit(type, [objectOf('c', 1_950)])
  const cut = await readPage(watched, plan)
  expect(cut.objects).toBe(2)
  expect(known.lastRead.get(type.tables.current)?.largest).toBe(1_950)
  // Size unknown: with the sum. Known to be small: without. Wrongly believed to be small: without, then with.
  expect(texts.map((text) => text.includes('sum('))).toEqual([true, false, false, true])
})

it('P37: a page that is read again has the version of its objects, whatever is committed between', async () => {
  const type = await newType('again')
  await commit(type, [objectOf('a', 600), objectOf('b', 600)])
  let statements = 0
  const database = databaseThat(store.database, {
    eachRow: async (query, takeRow, signal) => {
      if (statements++ === 1) await commit(type, [objectOf('c', 100)])
      await store.database.eachRow(query, takeRow, signal)
    },
  })
  // Wrongly believed to be small: the page is read again with the sum.
  const page = await readPage(
    { ...sources(type, 10), database },
    planOf(type, { at: { kind: 'capture' }, byteBudget: 5_000 }),
  )
  expect(statements).toBe(2)
  expect([page.objects, page.clock.version]).toEqual([3, '2'])
})

it('P8: the parts of a record around the properties count too, whatever the process estimated', async () => {
  const type = await newType('title-is-long')
  const text = 'x'.repeat(400)
  // The key is sent two more times: as the key and as the title.
  await commit(
    type,
    ['a', 'b', 'c'].map((start) => ({ id: start + text })),
  )
  for (const largest of [undefined, 0, 1, 10_000]) {
    const page = await readPage(sources(type, largest), planOf(type, { byteBudget: 3_000, pageSize: 3 }))
    expect(page).toMatchObject({ objects: 2, more: true })
  }
})

describe('where only some properties are sent', () => {
  const ids = Array.from({ length: 30 }, (_, i) => `k${String(i).padStart(2, '0')}`)
  const wholeRecord = 5_000
  let type: ObjectType
  let selected: Partial<PagePlan>

  beforeAll(async () => {
    type = await newType('hidden')
    await commit(
      type,
      ids.map((id, i) => ({ ...objectOf(id, wholeRecord, i % 2 === 0 ? 2_000 : 0), size: i % 7 })),
    )
    selected = { pageSize: 100, byteBudget: 20_000, select: ['id'] }
  })

  const idsOf = (page: PageRows) =>
    recordsOf(page).map((text) => {
      const { properties } = JSON.parse(text) as { properties: { id: string } }
      expect(Object.keys(properties)).toEqual(['id'])
      return properties.id
    })

  it.each<[RecordShape]>([['1.0'], ['2.0']])(
    'P8: a page of %s objects ends by what is sent, not by what is stored',
    async (record) => {
      const page = await readPage(sources(type), planOf(type, { ...selected, record }))
      expect(idsOf(page)).toEqual(ids)
      expect(page).toMatchObject({ objects: 30, more: false, position: undefined })
    },
  )

  it('P8: it ends exactly where one more object would pass the budget, in every order, latest and at a version', async () => {
    const at = [{ kind: 'latest' }, { kind: 'capture' }, await snapshotAt(store, type, '1')] as const
    for (const property of ['id', 'size']) {
      for (const point of at) {
        const order = chooseOrder(type, [{ property, direction: 'desc' }])
        const all = await readPage(sources(type), planOf(type, { ...selected, order, at: point }))
        const sent = all.records.length + recordSeparator('2.0').length
        const found: string[] = []
        let position: PagePlan['position']
        const sizes: number[] = []
        do {
          const byteBudget = sent / 3
          const plan = planOf(type, { ...selected, order, position, at: point, byteBudget })
          const page = await readPage(sources(type), plan)
          found.push(...idsOf(page))
          sizes.push(page.objects)
          position = page.position
        } while (position !== undefined)
        expect(found).toEqual(idsOf(all))
        expect(sizes).toEqual([10, 10, 10])
      }
    }
  })

  it('P8: never more than one budget of what is stored is read at a time', async () => {
    const sizes: number[] = []
    const watched = sources(type)
    const database: Database = databaseThat(store.database, {
      eachRow: async (query, takeRow, signal) => {
        let size = 0
        await store.database.eachRow(
          query,
          (bytes, from, to) => {
            size += to - from
            takeRow(bytes, from, to)
          },
          signal,
        )
        sizes.push(size)
      },
    })
    const page = await readPage({ ...watched, database }, planOf(type, selected))
    expect(page.objects).toBe(30)
    expect(sizes.length).toBeGreaterThan(5)
    expect(Math.max(...sizes)).toBeLessThan(20_000 + 1_000)
  })

  it('P37: parts of a page show one state, whatever is committed between them', async () => {
    const before = idsOf(await readPage(sources(type), planOf(type, selected)))
    let statements = 0
    const database: Database = databaseThat(store.database, {
      eachRow: async (query, takeRow, signal) => {
        if (statements++ === 1) await commit(type, [objectOf('zz', 100), objectOf('k00', 100)])
        await store.database.eachRow(query, takeRow, signal)
      },
    })
    const page = await readPage({ ...sources(type), database }, planOf(type, selected))
    expect(idsOf(page)).toEqual(before)
    expect(statements).toBeGreaterThan(3)
  })

  it('P113: a page that takes long ends with what it has, and more is known to follow', async () => {
    let now = 0
    const slow = { ...sources(type), elapsed: () => (now += 6_000) }
    const page = await readPage(slow, planOf(type, selected))
    expect(page.objects).toBeGreaterThan(3)
    expect(page.objects).toBeLessThan(30)
    expect(page).toMatchObject({ more: true, timedOut: true, position: [ids[page.objects - 1]] })
  })
})
