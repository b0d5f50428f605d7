// A small collection with every type of value, and a larger one, to aggregate over HTTP.
import type { Aggregate } from '@octavo/protocol'
import { answerOf } from './answer-of.ts'
import { employeeDefinition } from './employee.ts'
import { refusalOf } from './error-answer.ts'
import { putItems } from './load-items.ts'
import { jsonBody } from './page-revisions.ts'
import { serveOnFreshDatabase, type PromisedService } from './serve-on-fresh-database.ts'
import { contentOf } from './walk-over-http.ts'

const people = [
  { employeeId: 'e1', badge: '9007199254740993', department: 'Sales', age: 30, salary: '10.50', rating: 0.1 },
  {
    employeeId: 'e2',
    badge: '9007199254740993',
    department: 'Sales',
    age: 41,
    salary: '10.500',
    rating: 0.2,
  },
  { employeeId: 'e3', badge: '-2', department: 'Art', age: -5, salary: '-3.25', rating: -0 },
  { employeeId: 'e4', badge: '1', age: 35, rating: 1e300 },
  {
    employeeId: 'e5',
    badge: '1',
    department: 'Zoo',
    hiredAt: '2024-02-29T23:59:59.5Z',
    birthday: '2000-02-29',
  },
  {
    employeeId: 'e6',
    badge: '1',
    department: 'Zoo',
    hiredAt: '2024-03-03T23:00:00Z',
    birthday: '2001-01-01',
  },
  {
    employeeId: 'e7',
    badge: '1',
    department: 'Zoo',
    hiredAt: '2024-03-04T00:00:00Z',
    birthday: '1999-12-31',
  },
]

export interface AggregatedService extends PromisedService {
  readonly aggregate: (body: object, objectType?: string) => Promise<Aggregate>
  readonly refusal: (body: object, objectType?: string) => Promise<ReturnType<typeof refusalOf>>
  /** The groups of one field, each with its count. */
  readonly countsBy: (groupBy: OneGrouping, rest?: object) => Promise<readonly (readonly unknown[])[]>
}

type OneGrouping = { readonly field: string } & Readonly<Record<string, unknown>>

/** An aggregate may read as many objects as the budget says. There are 7 employees, and 500 objects of the type `large`. */
export async function serveAggregates(budget: number): Promise<AggregatedService> {
  const service = await serveOnFreshDatabase({ environment: { OCTAVO_AGGREGATE_OBJECTS: String(budget) } })
  const { store, ontology } = service
  await putItems(store, await store.applyObjectType(ontology, employeeDefinition), people)
  await putItems(
    store,
    await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'large' }),
    Array.from({ length: 500 }, (_, i) => ({
      employeeId: `e${String(i).padStart(3, '0')}`,
      badge: String(i),
      age: i % 50,
      salary: '1.50',
    })),
  )
  const asking = (body: object, objectType = 'employee') =>
    answerOf(service, `/api/promised/v1/objects/types/${objectType}/aggregate`, jsonBody(body))
  const aggregate: AggregatedService['aggregate'] = async (body, objectType) => {
    return contentOf<Aggregate>(asking(body, objectType))
  }
  return {
    ...service,
    aggregate,
    refusal: async (body, objectType) => refusalOf(await asking(body, objectType)),
    countsBy: async (groupBy, rest = {}) => {
      const { data } = await aggregate({ aggregation: [{ type: 'count' }], groupBy: [groupBy], ...rest })
      return data.map(({ group, metrics }) => [group[groupBy.field], metrics[0]?.value])
    },
  }
}
