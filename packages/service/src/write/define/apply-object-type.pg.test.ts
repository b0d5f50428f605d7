import { setTimeout as sleep } from 'node:timers/promises'
import { declaredOrder } from '@octavo/model'
import type { ObjectTypeDefinition, PropertyDefinition } from '@octavo/protocol'
import { forEachTest } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { randomHex, randomUuid } from '../../guard/auth/random.ts'
import { chooseOrder } from '../../read/plan/choose-order.ts'
import type { OrderByKey } from '../../read/request/page-request.ts'
import { pagePlanOf } from '../../../test/support/page-plan-of.ts'
import type { PagePlan } from '../../read/plan/page-plan.ts'
import { compilePageQuery } from '../../read/sql/compile-page-query.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { openTestStore } from '../../../test/support/open-test-store.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { readWalk } from '../../../test/support/read-walk.ts'
import { applyObjectType } from './apply-object-type.ts'
import { evolvedType } from './evolved-type.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { indexName, tableSides } from '../../catalog/type-tables.ts'
import { saveObjectType } from './save-object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import { databaseThat } from '../../../test/support/database-that.ts'
import { withStore, nextOntology } from '../../../test/support/with-store.ts'
import { defineType } from '../../../test/support/define-type.ts'
import { errorNamed } from '../../../test/support/named-errors.ts'

const { database, store } = withStore()
// One ontology for each test, so that no test sees what another one wrote.
const ontology = forEachTest(() => nextOntology(store))

// In this test no other process competes for the lock.
const exclusively = Object.assign(<T>(_name: string, work: () => Promise<T>) => work(), {
  ifFree: <T>(_name: string, work: () => Promise<T>): Promise<T | undefined> => work(),
})
const { properties } = employeeDefinition
const withProperties = (more: Record<string, PropertyDefinition>): ObjectTypeDefinition => ({
  ...employeeDefinition,
  properties: { ...properties, ...more },
})
const apply = (definition: ObjectTypeDefinition) => store.applyObjectType(ontology, definition)
const commit = (type: ObjectType, objects: readonly Record<string, unknown>[]) =>
  store.commit({ parts: [{ type, changes: objects.map((object) => putObject(type, object)) }] })
const rows = (text: string) => store.database.rows({ text, values: [] })
const indexNames = async () =>
  (
    await rows(
      `select indexname as name from pg_indexes where schemaname = '${ontology.schema}' and indexname ~ '_i[0-9]+$' order by 1`,
    )
  ).map((row) => row['name'])
const indexesOf = (type: ObjectType) =>
  type.indexes.flatMap((index) => tableSides.map((side) => indexName(type, index, side))).toSorted()

const planOf = (
  type: ObjectType,
  order: readonly OrderByKey[],
  at: PagePlan['at'] = { kind: 'latest' },
): PagePlan => pagePlanOf(type, { order: chooseOrder(type, order), at, pageSize: 10 })
const idsOf = async (
  type: ObjectType,
  order: readonly OrderByKey[],
  at: PagePlan['at'] = { kind: 'latest' },
) => {
  const walk = await readWalk({ readPage: store.readPage, type, order, pageSize: () => 3, at })
  return walk.objects.map((object) => object['primaryKey'])
}

it('applying the same definition again changes nothing', async () => {
  const first = await apply(employeeDefinition)
  expect(first.revision).toBe(1)
  expect(await apply(employeeDefinition)).toEqual(first)
  // The order of members does not matter.
  const { apiName, displayName, address, ...rest } = { ...employeeDefinition, address: properties['address'] }
  const turned = {
    searchable: true,
    type: { struct: { floor: { type: 'integer' }, city: { type: 'string' } } },
  } as const
  expect(address?.type).toEqual(turned.type)
  expect(
    await apply({ ...rest, displayName, apiName, properties: { ...properties, address: turned } }),
  ).toEqual(first)
  expect(await store.catalog.objectTypes(ontology)).toEqual([first])
})

it('every index is on both tables, and no other is there', async () => {
  const type = await apply(employeeDefinition)
  expect(await indexNames()).toEqual(indexesOf(type))
})

it('texts can change: the tables stay as they are', async () => {
  const first = await apply(employeeDefinition)
  const second = await apply({ ...employeeDefinition, displayName: 'Staff', status: 'DEPRECATED' })
  expect(second).toEqual({
    ...first,
    revision: 2,
    revisionTag: second.revisionTag,
    definition: { ...employeeDefinition, displayName: 'Staff', status: 'DEPRECATED' },
  })
  expect(await indexNames()).toEqual(indexesOf(first))
})

const named = (apiName: string) =>
  defineType(apiName, { 'com.Example.ID': 'string', 'a.B-c_d': 'integer sortable' }, { displayName: 'x' })

it('names may contain dots and upper case, and are case-sensitive', async () => {
  const upper = await apply(named('com.example.Person'))
  const lower = await apply(named('com.example.person'))
  expect(upper.id).not.toBe(lower.id)
  await commit(upper, [{ 'com.Example.ID': '1', 'a.B-c_d': 2 }])
  const walk = await readWalk({
    readPage: store.readPage,
    type: upper,
    order: [{ property: 'a.B-c_d', direction: 'desc' }],
    pageSize: () => 5,
  })
  expect(walk.objects).toEqual([
    {
      primaryKey: '1',
      objectType: 'com.example.Person',
      title: '1',
      properties: { 'com.Example.ID': '1', 'a.B-c_d': 2 },
    },
  ])
  expect(await idsOf(lower, [])).toEqual([])
})

it('a new property needs no filling: older objects have no value for it', async () => {
  const before = await apply(employeeDefinition)
  await commit(before, [{ employeeId: 'a', badge: '1' }])
  const after = await apply(
    withProperties({ size: { type: 'integer', sortable: true }, nick: { type: 'string', sortable: true } }),
  )
  expect(after.columns.every((column) => column.filled)).toBe(true)
  await commit(after, [{ employeeId: 'b', badge: '2', size: 5, nick: 'x' }])
  expect(await idsOf(after, [{ property: 'size', direction: 'asc' }])).toEqual(['b', 'a'])
  expect(await idsOf(after, [{ property: 'nick', direction: 'desc' }])).toEqual(['b', 'a'])
})

const plain = Object.fromEntries(
  Object.entries(properties).map(([name, { type, required }]) => [
    name,
    { type, ...(required ? { required } : {}) },
  ]),
)
// Sortable strings are sortable from the start: strings that were stored without it may be too long for an index.
const undeclared: ObjectTypeDefinition = {
  ...employeeDefinition,
  properties: {
    ...plain,
    fullName: { type: 'string', sortable: true },
    department: { type: 'string', sortable: true },
  },
  orders: [],
}
const objects = [
  {
    employeeId: 'a',
    badge: '9223372036854775807',
    age: 3,
    salary: '12345678901234567890123456789012345678',
    rating: -0,
    hiredAt: '0001-01-01T00:00:00.000001Z',
    birthday: '9999-12-31',
    active: false,
    notes: 'x "quoted" \\ 😀\n',
    names: [{ firstName: 'A', lastName: 'B"\\' }, { lastName: 'C' }],
    tags: ['x', '', '{"y"}'],
    address: { city: 'Bern', floor: -1 },
  },
  { employeeId: 'b', badge: '1', names: [], tags: [], address: {} },
  {
    employeeId: 'c',
    badge: '2',
    names: [{ firstName: 'only' }, {}],
    tags: ['null'],
    address: { floor: 0 },
    rating: 5e-324,
  },
  { employeeId: 'd', badge: '3' },
]

const columnsOf = async (type: ObjectType, side: 'current' | 'history') => {
  const list = type.columns.map(
    ({ name, property, component }) => `${name} as "${property}:${component ?? ''}"`,
  )
  return rows(`select pk, ${list.join(', ')} from ${type.tables[side]} order by pk`)
}

it('properties that become searchable or sortable are filled, on current and history, as a put would have', async () => {
  const before = await apply(undeclared)
  await commit(before, objects)
  await commit(
    before,
    objects.map((object) => ({ ...object, department: 'later' })),
  )
  const after = await apply(employeeDefinition)
  expect(after.columns.every((column) => column.filled)).toBe(true)
  expect(after.indexes.every((index) => index.ready)).toBe(true)

  const other = await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'other' })
  await commit(other, objects)
  await commit(
    other,
    objects.map((object) => ({ ...object, department: 'later' })),
  )
  for (const side of ['current', 'history'] as const) {
    expect(await columnsOf(after, side)).toEqual(await columnsOf(other, side))
    expect(await columnsOf(after, side)).toHaveLength(objects.length)
  }
})

it('filling continues beyond one portion', async () => {
  const before = await apply(undeclared)
  const many = Array.from({ length: 12_000 }, (_, i) =>
    putObject(before, { employeeId: `e${i}`, badge: String(i), age: i % 50 }),
  )
  await store.stage({ chunks: [{ type: before, changes: many }] })
  const after = await apply(employeeDefinition)
  const age = after.columns.find(({ property }) => property === 'age')?.name
  expect(await rows(`select count(*) as n, sum(${age}) as total from ${after.tables.current}`)).toEqual([
    { n: '12000', total: String(240 * ((49 * 50) / 2)) },
  ])
})

it('an index made later is used by pages, latest and at a version', async () => {
  const before = await apply(undeclared)
  const many = Array.from({ length: 3_000 }, (_, i) =>
    putObject(before, { employeeId: `e${i}`, badge: String(i), age: i % 50 }),
  )
  await store.stage({ chunks: [{ type: before, changes: many }] })
  const after = await apply(employeeDefinition)
  await rows(`analyze ${after.tables.current}`)
  const order = [{ property: 'age', direction: 'desc' }] as const
  const number = after.indexes.find(
    ({ keys }) => keys.length === 1 && keys[0]?.column === chooseOrder(after, order).keys[0]?.column,
  )?.number
  const epochs = { from: '1', count: 1 }
  for (const at of [{ kind: 'latest' }, { kind: 'snapshot', version: '1', tag: 'any', epochs }] as const) {
    const { text, values } = compilePageQuery(planOf(after, order, at), {
      cutAtBudget: false,
      withEscapes: true,
    })
    const plan = (await store.database.holding(after.schema).rows({ text: `explain ${text}`, values }))
      .map((row) => row['QUERY PLAN'])
      .join('\n')
    expect(plan).toContain(`Index Scan Backward using t${after.id}_current_i${number}`)
    expect(plan).not.toContain(`Seq Scan on t${after.id}_current`)
    if (at.kind === 'snapshot')
      expect(plan).toContain(`Index Scan Backward using t${after.id}_history_i${number}`)
  }
})

it('an index that is no longer needed is dropped, and its number is not used for another one at the same time', async () => {
  const before = await apply(employeeDefinition)
  const fewer = await apply(undeclared)
  expect(fewer.indexes).toHaveLength(2)
  expect(await indexNames()).toEqual(indexesOf(fewer))
  const again = await apply(employeeDefinition)
  expect(await indexNames()).toEqual(indexesOf(again))
  expect(again.columns).toEqual(before.columns)
  // A column that existed all along was always written: nothing is filled a second time.
  expect(again.columns.every((column) => column.filled)).toBe(true)
})

it('a change that is refused leaves everything as it was', async () => {
  const type = await apply(employeeDefinition)
  const { age: _age, ...fewer } = properties
  await expect(apply({ ...employeeDefinition, orders: [], properties: fewer })).rejects.toMatchObject(
    errorNamed('IncompatibleDefinition', {
      objectType: 'employee',
      problems: [
        {
          path: '/properties/age',
          problem:
            'Property age cannot be removed: stored objects would lose its values. Keep it in the definition.',
        },
      ],
    }),
  )
  await expect(apply({ ...employeeDefinition, titleProperty: 'nope' })).rejects.toMatchObject(
    errorNamed('InvalidDefinition', {
      problems: [{ path: '/titleProperty', problem: 'nope is not among the properties' }],
    }),
  )
  expect(await store.catalog.objectTypes(ontology)).toEqual([type])
})

const names = (prefix: string, searchable: boolean) =>
  Object.fromEntries(
    Array.from({ length: 250 }, (_, i) => [
      `${prefix}${i}`,
      { type: { array: 'integer' }, searchable } as const,
    ]),
  )
const definition = (a: boolean, b: boolean) =>
  defineType('wide', { id: 'string', ...names('a', a), ...names('b', b) })

it('columns of what was searched earlier count: a row must have room for all of them', async () => {
  const type = await apply(definition(true, false))
  await expect(apply(definition(false, true))).rejects.toMatchObject({ errorName: 'InvalidDefinition' })
  expect((await store.catalog.objectType(ontology, 'wide'))?.revision).toBe(type.revision)
})

it('an interrupted change is finished by applying again: columns unfilled', async () => {
  const before = await apply(undeclared)
  await commit(before, objects)
  let transactions = 0
  // The first transaction is the change itself, the second fills the first portion.
  const interrupted = databaseThat(store.database, {
    transaction: (work) => {
      transactions += 1
      return transactions > 1 ? Promise.reject(new Error('interrupted')) : store.database.transaction(work)
    },
  })
  const sources = { database: interrupted, exclusively, now: () => new Date(), randomHex, randomUuid }
  await expect(applyObjectType(sources, ontology, { definition: employeeDefinition })).rejects.toThrow(
    'interrupted',
  )

  const between = await store.catalog.objectType(ontology, 'employee')
  expect(between?.columns.some((column) => !column.filled)).toBe(true)
  // Unfinished columns are not read, but they are written.
  expect(() => chooseOrder(between ?? before, [{ property: 'age', direction: 'asc' }])).toThrow('sortable')
  await commit(between ?? before, [{ employeeId: 'e', badge: '9', age: 1 }])

  const after = await apply(employeeDefinition)
  expect(after.columns.every((column) => column.filled)).toBe(true)
  expect(await idsOf(after, [{ property: 'age', direction: 'asc' }])).toEqual(['e', 'a', 'b', 'c', 'd'])
})

it('an index that another one replaces serves until that one is ready', async () => {
  const searchable = withProperties({ notes: { type: 'string', searchable: true } })
  const before = await apply(searchable)
  const start = before.indexes.find(({ kind }) => kind === 'start')
  expect(start).toBeDefined()
  const dying = databaseThat(store.database, { run: () => Promise.reject(new Error('died')) })
  // The check needs `run`; this change adds a limit, so the definition is saved by hand as if it had passed.
  const sortable = withProperties({ notes: { type: 'string', searchable: true, sortable: true } })
  await store.database.transaction((transaction) =>
    saveObjectType(transaction, evolvedType(before, sortable, 'new')),
  )
  const sources = { database: dying, exclusively, now: () => new Date(), randomHex, randomUuid }
  await expect(applyObjectType(sources, ontology, { definition: sortable })).rejects.toThrow('died')
  const [between] = await store.catalog.objectTypes(ontology)
  expect(between?.indexes).toContainEqual(start)
  expect(await indexNames()).toContain(`t1_current_i${start?.number}`)

  const after = await apply(sortable)
  expect(after.indexes).not.toContainEqual(start)
  expect(after.indexes.every(({ ready }) => ready)).toBe(true)
  expect(await indexNames()).toEqual(indexesOf(after))
})

it('an interrupted change is finished by applying again: an invalid index left behind', async () => {
  const before = await apply(employeeDefinition)
  await commit(before, objects)
  const order = [
    { property: 'age', direction: 'asc' },
    { property: 'badge', direction: 'desc' },
  ] as const
  const orders = [declaredOrder(...order)]
  // A writer that does not finish. A concurrent index build waits for it, longer than a statement may usually take, until the
  // build is cancelled.
  const patient = openTestStore({ databaseUrl: database.url, statementTimeoutSeconds: 1 })
  await store.database.transaction(async (transaction) => {
    await transaction.run(`lock table ${before.tables.current} in row exclusive mode`)
    const applied = patient.applyObjectType(ontology, { ...employeeDefinition, orders })
    // It is awaited below; this keeps its rejection from being unhandled until then.
    applied.catch(() => {})
    await sleep(1_500)
    const cancelled = `select pg_cancel_backend(pid) as done from pg_stat_activity
where datname = current_database() and state = 'active' and query ~ '^(create|drop) index concurrently'`
    expect(await rows(cancelled)).toHaveLength(1)
    await expect(applied).rejects.toMatchObject({ code: '57014' })
  })
  await patient.database.close()
  const invalid = `select count(*) as n from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid and c.relname like 't%_i%'`
  expect(await rows(invalid)).toEqual([{ n: '1' }])

  const after = await apply({ ...employeeDefinition, orders })
  expect(await rows(invalid)).toEqual([{ n: '0' }])
  expect(after.indexes.every((index) => index.ready)).toBe(true)
  expect(await indexNames()).toEqual(indexesOf(after))
  expect(await idsOf(after, order)).toEqual(['a', 'd', 'c', 'b'])
})

it('a commit and a page made for an older definition are refused, and nothing of them is done', async () => {
  const old = await apply(employeeDefinition)
  await commit(old, [{ employeeId: 'a', badge: '1' }])
  await apply(withProperties({ size: { type: 'integer', sortable: true } }))
  await expect(commit(old, [{ employeeId: 'b', badge: '1' }])).rejects.toThrow(StaleDefinition)
  await expect(
    store.stage({ chunks: [{ type: old, changes: [putObject(old, { employeeId: 'b', badge: '1' })] }] }),
  ).rejects.toThrow(StaleDefinition)
  await expect(store.readPage(planOf(old, []))).rejects.toThrow(StaleDefinition)
  expect(await rows(`select version, live from ${old.tables.clock}`)).toEqual([{ version: '1', live: '1' }])
  expect(await rows(`select count(*) as n from ${old.tables.staged}`)).toEqual([{ n: '0' }])
})

it('with the newest definition the same work is done after all', async () => {
  const old = await apply(employeeDefinition)
  await apply(withProperties({ size: { type: 'integer', sortable: true } }))
  const tried: number[] = []
  const receipt = await store.catalog.withFreshType(ontology, old, (type) => {
    tried.push(type.revision)
    return commit(type, [{ employeeId: 'b', badge: '1' }])
  })
  expect(receipt).toMatchObject({ version: '1', created: 1 })
  expect(tried).toEqual([1, 3])
  const page = await store.catalog.withFreshType(ontology, old, (type) => store.readPage(planOf(type, [])))
  expect(page.objects).toBe(1)
  await expect(
    store.catalog.withFreshType(ontology, old, () => Promise.reject(new Error('mine'))),
  ).rejects.toThrow('mine')
})

it('writers and readers continue while a type evolves, and no value is missing afterwards', async () => {
  let type = await apply(undeclared)
  const state = { done: false }
  const written = new Map<string, number>()
  const writer = async (name: string) => {
    for (let i = 0; !state.done; i += 1) {
      const id = `${name}${i % 40}`
      const object = { employeeId: id, badge: '1', age: i, tags: [`t${i}`], address: { floor: i } }
      await store.catalog.withFreshType(ontology, type, (fresh) => commit(fresh, [object]))
      written.set(id, i)
    }
  }
  const reader = async () => {
    while (!state.done)
      await store.catalog.withFreshType(ontology, type, (fresh) => store.readPage(planOf(fresh, [])))
  }
  const working = Promise.all([writer('x'), writer('y'), reader(), reader()])
  working.catch(() => {})
  try {
    for (let round = 0; round < 4; round += 1) {
      const extra = Object.fromEntries(
        Array.from({ length: round }, (_, i) => [`extra${i}`, { type: 'integer', sortable: true } as const]),
      )
      const base = round % 2 === 0 ? undeclared : employeeDefinition
      type = await apply({ ...base, properties: { ...base.properties, ...extra } })
    }
  } finally {
    state.done = true
  }
  await working
  const column = (property: string, component?: string) =>
    type.columns.find((each) => each.property === property && each.component === component)?.name
  const found = await rows(
    `select pk, ${column('age')} as age, ${column('tags')} as tags, ${column('address', 'floor')} as floor from ${type.tables.current}`,
  )
  expect(found.length).toBe(written.size)
  for (const { pk, age, tags, floor } of found) {
    expect([age, tags, floor]).toEqual([String(written.get(pk ?? '')), `{t${written.get(pk ?? '')}}`, age])
  }
  const missing = `select count(*) as n from ${type.tables.history} where ${column('age')} is null or ${column('tags')} is null`
  expect(await rows(missing)).toEqual([{ n: '0' }])
  expect(written.size).toBeGreaterThan(20)
})

it('a change that is finished does not undo one that came in between', async () => {
  const before = await apply(undeclared)
  await commit(before, objects)
  let during: ObjectType | undefined
  const slow = databaseThat(store.database, {
    // After the first index has been built, another process changes the type.
    run: async (text: string) => {
      await store.database.run(text)
      if (during !== undefined || !/^create index .*_[ei][1-9]/.test(text)) return
      during = before
      const definition = { ...employeeDefinition, displayName: 'Changed in between' }
      const sources = {
        database: databaseThat(store.database, { run: () => Promise.reject(new Error('stopped')) }),
        exclusively,
        now: () => new Date(),
        randomHex,
        randomUuid,
      }
      await expect(applyObjectType(sources, ontology, { definition })).rejects.toThrow('stopped')
    },
  })
  const after = await applyObjectType(
    { database: slow, exclusively, now: () => new Date(), randomHex, randomUuid },
    ontology,
    { definition: employeeDefinition },
  )
  expect(after.definition.displayName).toBe('Changed in between')
  expect(after.indexes.every((index) => index.ready)).toBe(true)
  expect(await store.catalog.objectTypes(ontology)).toEqual([after])
})
