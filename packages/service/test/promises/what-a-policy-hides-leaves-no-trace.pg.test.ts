// Two types that differ only in objects that a policy hides from the caller answer it alike: in the objects of each page, in how many
// pages there are, and in the lengths of their tokens.
import { seededRandom } from '@octavo/model'
import type { Partitions, PolicyQuery, Query } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { policyFilter } from '../../src/catalog/filter/policy-filter.ts'
import type { ObjectType } from '../../src/catalog/object-type.ts'
import type { Position } from '../../src/read/plan/page-plan.ts'
import { askClock } from '../../src/read/rows/state/page-clock.ts'
import { parsedRecords } from '../../src/read/rows/page/page-rows.ts'
import { capturedBy, type Captured } from '../../src/read/token/walk.ts'
import { answerOf } from '../support/answer-of.ts'
import { readChanges, readState, type Asked } from '../support/changes-over-http.ts'
import { putItems } from '../support/load-items.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { putObject } from '../support/put-object.ts'
import { serveClaims } from '../support/serve-claims.ts'
import { contentOf, type WirePage } from '../support/walk-over-http.ts'
import { withStore } from '../support/with-store.ts'
import { databaseThatGuesses } from '../support/database-that-guesses.ts'
import { readDifference } from '../../src/read/rows/changes/read-difference.ts'
import { partitionCollection } from '../../src/read/rows/numbers/partition-collection.ts'
import { defineType } from '../support/define-type.ts'

const { database, store, ontology } = withStore()
const service = forAllTests(() => serveClaims(store))

const apiFamily = 'promised'
const claims = { department: 'sales', shunned: 'legal' }
const sameDepartment: PolicyQuery = { type: 'eq', field: 'department', value: { claim: 'department' } }
/** It hides the same, and no index finds what it matches. */
const notShunned: PolicyQuery = {
  type: 'not',
  value: { type: 'eq', field: 'department', value: { claim: 'shunned' } },
}
const everyObject: Query = { type: 'empty' }
const highLevel: Query = { type: 'gte', field: 'level', value: 5 }

const definition = (apiName: string, policy?: PolicyQuery) =>
  defineType(
    apiName,
    { id: 'string', department: 'string searchable', level: 'integer searchable sortable', note: 'string' },
    { displayName: 'File', ...(policy && { policy }) },
  )

interface File {
  readonly id: string
  readonly level: number
}

const keyOf = (number: number): string => `file-${String(number).padStart(4, '0')}`
const filesOf = (count: number, levelOf = (number: number) => number % 10): readonly File[] =>
  Array.from({ length: count }, (_, i) => ({ id: keyOf(i), level: levelOf(i) }))
/** Their keys lie among those of the others, and are longer. */
const hiddenOf = (count: number, among: number): readonly File[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${keyOf(i % among)}-hidden-${i}`, level: 5 + (i % 5) }))

interface Given {
  readonly put?: readonly File[]
  readonly deleted?: readonly string[]
}

interface GuardedType {
  readonly type: ObjectType
  /** One commit, of what the caller sees, and on one of the types of what it does not see. */
  readonly commit: (visible: Given, hidden: Given) => Promise<void>
}

/** The work says the same of a type without hidden objects and of one with them. Returns what it says. */
async function sameOnBoth<T>(
  name: string,
  policy: PolicyQuery,
  work: (guarded: GuardedType) => Promise<T>,
): Promise<T> {
  const said: T[] = []
  for (const hides of [false, true]) {
    const type = await store.applyObjectType(
      ontology,
      definition(`${name}.${hides ? 'among' : 'alone'}`, policy),
    )
    const changesOf = ({ put = [], deleted = [] }: Given, department: string) => [
      ...put.map((file) => putObject(type, { ...file, department })),
      ...deleted.map((key) => ({ kind: 'delete', key }) as const),
    ]
    const commit: GuardedType['commit'] = async (visible, hidden) => {
      const changes = [...changesOf(visible, 'sales'), ...(hides ? changesOf(hidden, 'legal') : [])]
      await store.commit({ parts: [{ type, changes }] })
      await store.database.run(`analyze ${type.tables.current}`)
    }
    const answer = JSON.stringify(await work({ type, commit })).replaceAll(type.apiName, name)
    said.push(JSON.parse(answer) as T)
  }
  const [without, having] = said
  expect(having).toEqual(without)
  if (without === undefined) throw new Error('nothing was said')
  return without
}

interface WithTokens {
  readonly nextPageToken?: string
  readonly snapshotToken?: string
}

/** All that a caller can learn from an answer whose tokens it cannot read. */
const withoutTokens = <T extends WithTokens>(page: T) => ({
  ...page,
  nextPageToken: page.nextPageToken?.length,
  snapshotToken: page.snapshotToken?.length,
})

const allPages = (pages: readonly WithTokens[]) => pages.map((page) => withoutTokens(page))

/** A change of visible objects and a hundred times as many hidden ones. */
async function change({ commit }: GuardedType): Promise<void> {
  const [visible, hidden] = [filesOf(30), hiddenOf(1_500, 30)]
  const higher = (files: readonly File[]) => files.map(({ id, level }) => ({ id, level: level + 1 }))
  await commit(
    { put: higher(visible.slice(0, 12)), deleted: [keyOf(12), keyOf(13)] },
    { put: higher(hidden) },
  )
  await commit({ put: higher(visible.slice(20, 26)) }, { deleted: hidden.slice(500).map(({ id }) => id) })
}

it('P144, P271: pages of changes are full, and only a visible change is said to follow', async () => {
  const said = await sameOnBoth('changed', sameDepartment, async (guarded) => {
    await guarded.commit({ put: filesOf(30) }, { put: hiddenOf(1_500, 30) })
    const [caller, objectType] = [service.as(claims), guarded.type.apiName]
    const walks = []
    const { snapshotToken: since } = await readState(caller, { objectType, apiFamily, asks: {} })
    await change(guarded)
    for (const query of [everyObject, highLevel]) {
      for (const size of [1, 2, 5, 100]) {
        const asks = { fromSnapshotToken: since, query }
        walks.push(allPages(await readChanges(caller, { objectType, apiFamily, asks, pageSize: () => size })))
      }
    }
    return walks
  })
  expect(said.slice(0, 4).map((pages) => pages.length)).toEqual([20, 10, 4, 1])
})

it('P271: changes that do not fit into a page by their bytes come on the next ones, and nothing after the last of them', async () => {
  const said = await sameOnBoth('long', sameDepartment, async (guarded) => {
    const { type, commit } = guarded
    await commit({ put: filesOf(30) }, { put: hiddenOf(1_500, 30) })
    const clock = await askClock({ database: store.database }, { type, at: { kind: 'capture' } }, undefined)
    const since = capturedBy(clock)
    await change(guarded)
    const policy = policyFilter(type, claims)
    const pages: { readonly put: readonly string[]; readonly deleted: readonly string[] }[] = []
    let at: Captured | { readonly kind: 'capture' } = { kind: 'capture' }
    let position: Position | undefined
    do {
      const wanted = { type, since, at, policy, filter: policy, select: undefined, position }
      const page = await readDifference(store, { ...wanted, pageSize: 8, byteBudget: 600 })
      pages.push({
        put: page.puts === undefined ? [] : parsedRecords(page.puts).map(({ primaryKey }) => primaryKey),
        deleted: page.deletes.map(({ key }) => key),
      })
      ;({ at, position } = page)
    } while (position !== undefined)
    return pages
  })
  const shown = said.flatMap(({ put, deleted }) => [...put, ...deleted])
  expect(shown.toSorted()).toEqual([...filesOf(14), ...filesOf(26).slice(20)].map(({ id }) => id))
  expect(said.every(({ put, deleted }) => put.length + deleted.length > 0)).toBe(true)
  expect(said.length).toBeGreaterThan(3)
})

it('P271: changes that are looked for too long continue with a token that does not reveal where', async () => {
  let [elapsed, step] = [0, 0]
  const slow = openTestStore({ databaseUrl: database.url }, { elapsed: () => (elapsed += step) })
  const slowService = await serveClaims(slow)
  try {
    const type = await store.applyObjectType(ontology, definition('slow', sameDepartment))
    const put = async (department: string, files: readonly File[]) =>
      store.commit({
        parts: [{ type, changes: files.map((file) => putObject(type, { ...file, department })) }],
      })
    const caller = slowService.as(claims)
    const { snapshotToken: since } = await readState(caller, { objectType: 'slow', apiFamily, asks: {} })
    await put('legal', hiddenOf(50, 30))
    await put('sales', filesOf(3))
    const asks = { fromSnapshotToken: since }
    step = 20_000
    const pages = await readChanges(caller, { objectType: 'slow', apiFamily, asks, pageSize: () => 1 })
    const [first] = pages
    expect(first?.data).toEqual([])
    expect(pages.flatMap(({ data }) => data.map(({ primaryKey }) => primaryKey))).toEqual(
      filesOf(3).map(({ id }) => id),
    )
    const lengths = pages.flatMap(({ nextPageToken }) => nextPageToken?.length ?? [])
    expect(new Set(lengths).size).toBe(1)
  } finally {
    await slowService.close()
    await slow.database.close()
  }
})

const search = async (caller: Asked, objectType: string, body: object) => {
  const path = `/api/${apiFamily}/v1/objects/types/${objectType}/search`
  return contentOf<WirePage>(answerOf(caller, path, jsonBody(body)))
}

/** All pages of a search. */
async function searchAll(caller: Asked, objectType: string, body: object): Promise<readonly WirePage[]> {
  const pages: WirePage[] = []
  let pageToken: string | undefined
  do {
    const page = await search(caller, objectType, { ...body, pageToken })
    pages.push(page)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return pages
}

it('P41, P144: whatever is expected to match, a type with a policy comes in the order of the key', async () => {
  const random = seededRandom(3)
  const database = databaseThatGuesses(store.database, random, 10_000)
  const guessing = await serveClaims({ ...store, database })
  try {
    const type = await store.applyObjectType(ontology, definition('ordered', sameDepartment))
    const changes = filesOf(60, (number) => (number * 7) % 10).map((file) =>
      putObject(type, { ...file, department: 'sales' }),
    )
    await store.commit({ parts: [{ type, changes }] })
    // A type without a policy that is found through a link to one with a policy.
    const holder = await store.applyObjectType(ontology, {
      ...definition('holder'),
      properties: { id: { type: 'string' }, file: { type: 'string', searchable: true, sortable: true } },
      links: { file: { objectType: 'ordered', foreignKeyProperty: 'file', reverse: 'holders' } },
    })
    await putItems(
      store,
      holder,
      filesOf(60).map(({ id }, i) => ({ id, file: keyOf((i * 7) % 60) })),
    )
    const caller = guessing.as(claims)
    const linked = { type: 'linked', link: 'file', query: highLevel }
    for (const [objectType, query] of [
      ['ordered', highLevel],
      ['holder', linked],
    ] as const) {
      const answers = new Set<string>()
      for (let i = 0; i < 20; i += 1) {
        const page = await search(caller, objectType, { query, pageSize: 10 })
        const keys = page.data.map(({ primaryKey }) => String(primaryKey))
        expect(keys).toEqual(keys.toSorted())
        answers.add(JSON.stringify(withoutTokens(page)))
      }
      expect(answers.size, objectType).toBe(1)
    }
  } finally {
    await guessing.close()
  }
})

it('P144: a page ends at its last object, however many hidden ones lie before the next', async () => {
  const inSteps = openTestStore({ databaseUrl: database.url }, { stretchLengths: { usual: [3], longer: [] } })
  const stepping = await serveClaims(inSteps)
  try {
    const said = await sameOnBoth('stretched', notShunned, async ({ type, commit }) => {
      await commit({ put: filesOf(20) }, { put: hiddenOf(50, 17) })
      const walks = []
      for (const query of [everyObject, highLevel]) {
        for (const pageSize of [1, 2, 3, 7])
          walks.push(allPages(await searchAll(stepping.as(claims), type.apiName, { query, pageSize })))
      }
      return walks
    })
    expect(said.slice(0, 4).map((pages) => pages.length)).toEqual([20, 10, 7, 3])
  } finally {
    await stepping.close()
    await inSteps.database.close()
  }
})

it('P144, P258: the partitions of a type are those of what is seen, however many objects are hidden', async () => {
  const said = await sameOnBoth('split', sameDepartment, async ({ type, commit }) => {
    await commit({ put: filesOf(100) }, { put: hiddenOf(11_000, 100) })
    const path = `/api/${apiFamily}/v1/objects/types/${type.apiName}/partitions`
    const read = []
    for (const partitionCount of [3, 64]) {
      const answer = await answerOf(service.as(claims), path, jsonBody({ partitionCount }))
      const { data, snapshotToken } = JSON.parse(answer.text) as Partitions
      for (const { pageToken } of data) {
        const partition = await search(service.as(claims), type.apiName, {
          query: everyObject,
          pageToken,
          snapshotToken,
        })
        read.push({ token: pageToken.length, keys: partition.data.map(({ primaryKey }) => primaryKey) })
      }
    }
    return read
  })
  expect(said).toHaveLength(3 + 64)
})

it('P258: where the lots find too few objects that the caller sees, all of these are looked at', async () => {
  const type = await store.applyObjectType(ontology, definition('sparse', sameDepartment))
  await putItems(store, type, [
    ...filesOf(70).map((file) => ({ ...file, department: 'sales' })),
    ...hiddenOf(11_000, 70).map((file) => ({ ...file, department: 'legal' })),
  ])
  const wanted = { at: { kind: 'capture' }, filter: policyFilter(type, claims), partitionCount: 64 } as const
  const { partitions } = await partitionCollection(store.database, type, {
    ...wanted,
    // As if more had been counted than are looked at.
    visible: { count: 10_000, isBound: true },
  })
  expect(partitions).toHaveLength(64)
})
