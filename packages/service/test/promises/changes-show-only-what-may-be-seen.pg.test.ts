// Changes under policies and queries: the difference between what the caller could read and what it can read.
import { type Random, seededRandom } from '@octavo/model'
import type { PolicyQuery, Query } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import type { Claims } from '../../src/catalog/filter/policy-filter.ts'
import type { ObjectType } from '../../src/catalog/object-type.ts'
import {
  applied,
  askForChanges,
  changesOf,
  readChanges,
  readState,
  sorted,
} from '../support/changes-over-http.ts'
import { refusalOf } from '../support/error-answer.ts'
import { serveClaims } from '../support/serve-claims.ts'
import { putObject } from '../support/put-object.ts'
import { withStore } from '../support/with-store.ts'
import { defineType } from '../support/define-type.ts'

const { store, ontology } = withStore()
const service = forAllTests(() => serveClaims(store))

const apiFamily = 'promised'
const sameDepartment: PolicyQuery = { type: 'eq', field: 'department', value: { claim: 'department' } }
const highEnough: PolicyQuery = { type: 'lte', field: 'level', value: { claim: 'level' } }
const everyObject: Query = { type: 'empty' }

const definition = (apiName: string, policy?: PolicyQuery) =>
  defineType(
    apiName,
    { id: 'string', department: 'string searchable', level: 'integer searchable sortable' },
    { ...(policy && { policy }) },
  )

const keyOf = (number: number) => `file-${String(number).padStart(2, '0')}`

function commit(type: ObjectType, random: Random): Promise<unknown> {
  const keys = new Set(Array.from({ length: random.integer(1, 10) }, () => keyOf(random.integer(0, 40))))
  const changes = [...keys].map((id) =>
    random.chance(0.3)
      ? ({ kind: 'delete', key: id } as const)
      : putObject(type, {
          id,
          department: random.pick(['legal', 'sales', 'works']),
          level: random.integer(0, 4),
        }),
  )
  return store.commit({ parts: [{ type, changes }] })
}

const callers: readonly { readonly policy: PolicyQuery | undefined; readonly claims: Claims }[] = [
  { policy: undefined, claims: {} },
  { policy: sameDepartment, claims: { department: 'sales' } },
  { policy: sameDepartment, claims: {} },
  { policy: highEnough, claims: { level: 2 } },
]
const queries: readonly Query[] = [
  everyObject,
  { type: 'gte', field: 'level', value: 2 },
  { type: 'eq', field: 'department', value: 'sales' },
]

it.for(
  callers.flatMap((caller, i) => queries.map((query, j) => ({ ...caller, query, name: `by-${i}-${j}` }))),
)('P273: the difference of what is seen, %o', async ({ policy, claims, query, name: objectType }) => {
  const random = seededRandom(11)
  const type = await store.applyObjectType(ontology, definition(objectType, policy))
  const caller = service.as(claims)
  const stateNow = () => readState(caller, { objectType, apiFamily, asks: { query } })
  const states = [await stateNow()]
  for (let i = 0; i < 7; i += 1) {
    await commit(type, random)
    states.push(await stateNow())
  }
  // For a caller that may see everything.
  await store.applyObjectType(ontology, definition(objectType))
  const all = await readState(service.as({}), { objectType, apiFamily, asks: {} })
  await store.applyObjectType(ontology, definition(objectType, policy))
  for (const [i, earlier] of states.entries()) {
    for (const later of states.slice(i)) {
      const asks = { fromSnapshotToken: earlier.snapshotToken, toSnapshotToken: later.snapshotToken, query }
      const pages = await readChanges(caller, { objectType, apiFamily, asks, pageSize: () => 3 })
      // It fails if something is deleted that the caller did not have.
      expect(sorted(applied(earlier.copy, pages))).toEqual(sorted(later.copy))
      if (later !== states.at(-1)) continue
      for (const change of changesOf(pages)) {
        if (change.type === 'put' || change.reason !== 'left') continue
        expect(all.copy.has(change.primaryKey), 'what has left is still there').toBe(true)
        expect(query).not.toBe(everyObject)
      }
    }
  }
})

it('P273: an object that matches no more has left, unless the caller may not read it any more', async () => {
  const type = await store.applyObjectType(ontology, definition('reasons', sameDepartment))
  const set = (...files: readonly object[]) =>
    store.commit({ parts: [{ type, changes: files.map((file) => putObject(type, { ...file })) }] })
  const file = (id: string, department: string, level: number) => ({ id, department, level })
  await set(file('a', 'sales', 3), file('b', 'sales', 3), file('c', 'sales', 3), file('hidden', 'legal', 3))
  const caller = service.as({ department: 'sales' })
  const query = { type: 'gte', field: 'level', value: 2 }
  const { snapshotToken } = await readState(caller, { objectType: 'reasons', apiFamily, asks: { query } })
  await set(file('a', 'sales', 0), file('b', 'legal', 3), file('hidden', 'legal', 0))
  await store.commit({
    parts: [
      {
        type,
        changes: [
          { kind: 'delete', key: 'c' },
          { kind: 'delete', key: 'hidden' },
        ],
      },
    ],
  })
  const pages = await readChanges(caller, {
    objectType: 'reasons',
    apiFamily,
    asks: { fromSnapshotToken: snapshotToken, query },
  })
  expect(changesOf(pages).toSorted((a, b) => (a.primaryKey < b.primaryKey ? -1 : 1))).toEqual([
    { type: 'delete', primaryKey: 'a', reason: 'left' },
    { type: 'delete', primaryKey: 'b', reason: 'deleted' },
    { type: 'delete', primaryKey: 'c', reason: 'deleted' },
  ])
  expect(pages.at(-1)).not.toHaveProperty('totalCount')
  expect(pages.at(-1)).not.toHaveProperty('checksum')
})

it('P275: accessChanged, when the token is of a caller that may read other objects', async () => {
  const type = await store.applyObjectType(ontology, definition('rights', sameDepartment))
  await commit(type, seededRandom(5))
  const tokenFor = async (claims: Claims) => {
    const state = await readState(service.as(claims), { objectType: 'rights', apiFamily, asks: {} })
    return state.snapshotToken
  }
  const changes = async (claims: Claims, since: string) =>
    askForChanges(service.as(claims), { objectType: 'rights', apiFamily, asks: { fromSnapshotToken: since } })
  const sales = await tokenFor({ department: 'sales' })
  expect((await changes({ department: 'sales', more: 1 }, sales)).status).toBe(200)
  const refused = {
    status: 409,
    errorName: 'ChangesExpired',
    parameters: { objectType: 'rights', reason: 'accessChanged' },
  }
  expect(refusalOf(await changes({ department: 'legal' }, sales))).toEqual(refused)
  expect(refusalOf(await changes({}, sales))).toEqual(refused)
  await store.applyObjectType(ontology, definition('rights', highEnough))
  expect(refusalOf(await changes({ department: 'sales' }, sales))).toEqual(refused)
  await store.applyObjectType(ontology, definition('rights'))
  expect(refusalOf(await changes({ department: 'sales' }, sales))).toEqual(refused)
  expect((await changes({}, await tokenFor({}))).status).toBe(200)
})
