import { expect, expectTypeOf, it } from 'vitest'
import type { Library } from '../test/support/library.ts'
import { failureOf, scriptedServer } from '../test/support/scripted-server.ts'
import { createClient } from './index.ts'

const answer = {
  data: [{ group: { age: 3 }, metrics: [{ name: 'count', value: 2 }] }],
  version: '9',
}

it('P300: an aggregate is one request, with a query that is built or given', async () => {
  const { client, asked } = await scriptedServer(() => ({ body: answer }))
  const objects = client().family('f').objects('o')
  const aggregated = await objects.aggregate({
    query: (q) => q.eq('age', 3),
    aggregation: [{ type: 'count', direction: 'DESC' }],
    groupBy: [{ type: 'exact', field: 'age', maxGroupCount: 1 }],
    snapshotToken: 'AgF',
  })
  expect(aggregated).toEqual(answer)
  expect(aggregated.data[0]?.group.age).toBe(3)
  expect(asked.map(({ url, body }) => [url.pathname, body])).toEqual([
    [
      '/api/f/v1/objects/types/o/aggregate',
      {
        query: { type: 'eq', field: 'age', value: 3 },
        aggregation: [{ type: 'count', direction: 'DESC' }],
        groupBy: [{ type: 'exact', field: 'age', maxGroupCount: 1 }],
        snapshotToken: 'AgF',
      },
    ],
  ])
  const failure = await failureOf(objects.aggregate({ metrics: [] } as never))
  expect(failure).toMatchObject({ errorName: 'InvalidOption', parameters: { didYouMean: 'aggregation' } })
})

it('fields are those of the type, and so are the groups', () => {
  const { aggregate } = createClient<Library>({ url: 'http://127.0.0.1:1', token: 'none' })
    .family('library')
    .objects('employee')
  const compiled = async () => {
    const { data } = await aggregate({
      aggregation: [{ type: 'max', field: 'employeeId' }],
      groupBy: [{ type: 'exact', field: 'employeeId' }],
    })
    expectTypeOf(data[0]?.metrics[0]?.value).toEqualTypeOf<string | number | boolean | undefined>()
    expectTypeOf(Object.keys(data[0]?.group ?? {})).toEqualTypeOf<string[]>()
    void data[0]?.group.employeeId
    // @ts-expect-error the objects are not grouped by it
    void data[0]?.group.active
    // @ts-expect-error the type has no such field
    await aggregate({ aggregation: [{ type: 'max', field: 'nothing' }] })
  }
  expect(typeof compiled).toBe('function')
})
