import { limits, type ObjectTypeDefinition } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { databaseThat } from '../../../../test/support/database-that.ts'
import { putItems } from '../../../../test/support/load-items.ts'
import type { Claims } from '../../../catalog/filter/policy-filter.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'
import { planAggregate } from '../../plan/plan-aggregate.ts'
import { planPage } from '../../plan/plan-page.ts'
import { parseAggregateRequest } from '../../request/parse-aggregate-request.ts'
import { capturedBy, type Captured } from '../../token/walk.ts'
import { askClock } from '../state/page-clock.ts'
import { readAggregate } from './read-aggregate.ts'
import { rowSourcesOf } from '../state/row-sources.ts'
import { withStore } from '../../../../test/support/with-store.ts'
import { defineType } from '../../../../test/support/define-type.ts'
import { errorNamed } from '../../../../test/support/named-errors.ts'

const { store, ontology } = withStore()

const typeNamed = (apiName: string, some: Partial<ObjectTypeDefinition> = {}) =>
  store.applyObjectType(
    ontology,
    defineType(apiName, { id: 'integer', team: 'integer searchable', note: 'string searchable' }, some),
  )

interface Asked {
  readonly body: object
  readonly claims?: Claims
  readonly at?: Captured | undefined
}

const planOf = (type: ObjectType, { body, claims = {}, at }: Asked) =>
  planAggregate(type, parseAggregateRequest({}, body), (request) =>
    planPage({
      type,
      request,
      claims,
      walk: undefined,
      named: at,
      estimate: (...asked) => store.estimateMatches(type, ...asked),
      readsAll: true,
    }),
  )

const aggregation = [{ type: 'count' }]
const byTeam = { aggregation, groupBy: [{ type: 'exact', field: 'team' }] }

const read = async (type: ObjectType, asked: Asked, budget = 100_000) =>
  readAggregate(store, await planOf(type, asked), { budget })

const latestOf = async (type: ObjectType) =>
  capturedBy(await askClock({ database: store.database }, { type, at: { kind: 'capture' } }, undefined))

it('P312: more than 10,000 groups, or values that are too long, are refused and never cut silently', async () => {
  const type = await typeNamed('manyGroups')
  const ids = Array.from({ length: limits.aggregate.groups + 1 }, (_, id) => id)
  await putItems(
    store,
    type,
    ids.map((id) => ({ id, team: id, ...(id < 40 && { note: `${id} ${'x'.repeat(250_000)}` }) })),
  )
  await expect(read(type, { body: byTeam })).rejects.toMatchObject(
    errorNamed('AggregationGroupCountExceededLimit', { limit: 'groups', maximum: 10_000 }),
  )
  const first = await read(type, {
    body: { aggregation, groupBy: [{ type: 'exact', field: 'team', maxGroupCount: 10_000 }] },
  })
  expect([first.groups.length, first.excluded]).toEqual([10_000, 1])
  const byNote = { aggregation, groupBy: [{ type: 'exact', field: 'note' }] }
  await expect(read(type, { body: byNote })).rejects.toMatchObject(
    errorNamed('AggregationGroupCountExceededLimit', { limit: 'bytes', maximum: limits.page.byteBudget }),
  )
  const some = { ...byNote, query: { type: 'lt', field: 'team', value: 30 } }
  expect((await read(type, { body: some })).groups).toHaveLength(30)
})

it('P317: what a policy hides is in no number, and no refusal tells how much that is', async () => {
  const type = await typeNamed('guarded', { policy: { type: 'eq', field: 'note', value: { claim: 'note' } } })
  const ids = Array.from({ length: 500 }, (_, id) => id)
  await putItems(
    store,
    type,
    ids.map((id) => ({ id, team: id % 5, note: id % 100 === 0 ? 'rare' : 'common' })),
  )
  await store.database.run(`analyze ${type.tables.current}`)
  const total = { body: { aggregation: [{ type: 'count' }, { type: 'max', field: 'id' }] } }
  const shown = await read(type, { ...total, claims: { note: 'rare' } })
  expect(shown.groups).toEqual([{ values: [], metrics: [5, 400] }])
  expect((await read(type, total)).groups).toEqual([{ values: [], metrics: [0, undefined] }])
  for (const query of [{ type: 'empty' }, { type: 'not', value: { type: 'eq', field: 'team', value: 0 } }]) {
    const asked = { body: { ...byTeam, query }, claims: { note: 'common' } }
    const failure: unknown = await read(type, asked, 50).catch((error: unknown) => error)
    expect(failure).toMatchObject(
      errorNamed('AggregateTooExpensive', { maximum: 50, searchable: ['id', 'team', 'note'] }),
    )
    expect(failure).not.toHaveProperty('parameters.objectCount')
  }
  // Another caller reads few objects, and is served.
  expect((await read(type, { body: byTeam, claims: { note: 'rare' } }, 50)).groups).toHaveLength(1)
})

it.for([
  { name: 'by an index', policy: { type: 'eq', field: 'note', value: { claim: 'note' } } },
  { name: 'by none', policy: { type: 'not', value: { type: 'eq', field: 'note', value: { claim: 'not' } } } },
] as const)(
  'P317: how many objects a policy hides, $name, decides nothing about whether an aggregate is too expensive',
  async ({ name, policy }) => {
    const claims = { note: 'seen', not: 'hidden' }
    const queries = [
      { type: 'empty' },
      { type: 'gte', field: 'team', value: 3 },
      { type: 'not', value: { type: 'eq', field: 'team', value: 3 } },
    ]
    const budget = 50
    const said = async (seen: number, hidden: number) => {
      const type = await typeNamed(`priced ${name} ${seen} ${hidden}`.replaceAll(' ', '.'), { policy })
      const objects = (version: number) => [
        ...Array.from({ length: seen }, (_, id) => ({ id, team: (id + version) % 5, note: 'seen' })),
        ...Array.from({ length: hidden }, (_, i) => ({ id: 1_000 + i, team: i % 5, note: 'hidden' })),
      ]
      await putItems(store, type, objects(0))
      const at = await latestOf(type)
      for (const version of [1, 2, 3, 4, 5, 6]) await putItems(store, type, objects(version))
      await store.database.run(`analyze ${type.tables.current}`)
      const answers: unknown[] = []
      for (const query of queries) {
        for (const state of [undefined, at]) {
          const asked = { body: { ...byTeam, query }, claims, at: state }
          answers.push(await read(type, asked, budget).catch((error: unknown) => error))
        }
      }
      return JSON.stringify(answers)
    }
    const served = await said(40, 0)
    expect(served).not.toContain('AggregateTooExpensive')
    expect(await said(40, 3_000)).toBe(served)
    const refused = await said(120, 0)
    expect(refused).toContain('AggregateTooExpensive')
    expect(await said(120, 3_000)).toBe(refused)
  },
)

it('P313: a commit between the statements of an aggregate does not change its state', async () => {
  const type = await typeNamed('busy')
  await putItems(store, type, [{ id: 1, team: 1 }])
  const at = await latestOf(type)
  let asked = 0
  const busy = databaseThat(store.database, {
    eachRow: async (...statement) => {
      asked += 1
      if (asked === 1)
        await putItems(store, type, [
          { id: 1, team: 2 },
          { id: 2, team: 2 },
        ])
      return store.database.eachRow(...statement)
    },
  })
  const sources = rowSourcesOf(busy)
  const rows = await readAggregate(sources, await planOf(type, { body: byTeam, at }), { budget: 10 })
  expect(asked).toBeGreaterThan(1)
  expect(rows).toEqual({ version: at.version, groups: [{ values: [1], metrics: [1] }], excluded: 0 })
})

it('P314: rows that are no longer alive count against the budget too, so that old states cost little', async () => {
  const type = await typeNamed('old')
  await putItems(store, type, [{ id: 0, team: 1 }])
  const at = await latestOf(type)
  const ids = Array.from({ length: 200 }, (_, id) => id)
  await putItems(
    store,
    type,
    ids.map((id) => ({ id, team: 2 })),
  )
  await expect(read(type, { body: byTeam, at }, 10)).rejects.toMatchObject({
    errorName: 'AggregateTooExpensive',
  })
  expect((await read(type, { body: byTeam, at }, 100)).groups).toEqual([{ values: [1], metrics: [1] }])
})
