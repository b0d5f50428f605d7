// What the client makes of refusals, and of a service that is too busy.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { createClient, isOk, PalantirApiError, type WhereClause } from '@osdk/client'
import { testToken } from '../test-access.ts'
import { anyAggregate } from './any-aggregate.ts'
import { startBusyProxy } from './busy-proxy.ts'
import { aircraftType, flightType, type FlightWorld, type OfficialCall } from './flight-world.ts'

interface Refused {
  readonly errorName: string
  readonly statusCode: number
  /** At least these. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

const refusedWith = async (work: Promise<unknown>, expected: Refused): Promise<void> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  ok(error instanceof PalantirApiError, `it was not refused as ${expected.errorName}: ${String(error)}`)
  const { errorName, statusCode, parameters, errorInstanceId } = error
  deepEqual({ errorName, statusCode }, { errorName: expected.errorName, statusCode: expected.statusCode })
  ok(/^[0-9a-f-]{36}$/.test(errorInstanceId ?? ''), `errorInstanceId ${errorInstanceId}`)
  for (const [name, value] of Object.entries(expected.parameters ?? {})) {
    deepEqual(parameters?.[name], value, `the parameter ${name}`)
  }
}

const refusals: readonly (readonly [
  name: string,
  call: (world: FlightWorld) => Promise<unknown>,
  expected: Refused,
])[] = [
  [
    'an unknown type',
    ({ client }) => client({ type: 'object', apiName: 'flihgt' }).fetchPage(),
    { errorName: 'ObjectTypeNotFound', statusCode: 404, parameters: { objectType: 'flihgt' } },
  ],
  [
    'an unknown property',
    ({ client }) =>
      client(flightType)
        .where(asClause({ dealy: 1 }))
        .fetchPage(),
    { errorName: 'PropertiesNotFound', statusCode: 404, parameters: { properties: ['dealy'] } },
  ],
  [
    'an order by a property that is not sortable',
    ({ client }) => client(flightType).fetchPage({ $orderBy: { note: 'asc' } }),
    { errorName: 'PropertiesNotSortable', statusCode: 400, parameters: { properties: ['note'] } },
  ],
  [
    'a condition that there is not',
    ({ client }) =>
      client(flightType)
        .where(asClause({ note: { $matchesRegex: 'x' } }))
        .fetchPage(),
    { errorName: 'UnsupportedCondition', statusCode: 400, parameters: { type: 'regex' } },
  ],
  [
    'a link that there is not',
    ({ client }) => client(flightType).pivotTo('aeroplane').fetchPage(),
    { errorName: 'LinkTypeNotFound', statusCode: 404 },
  ],
  [
    'sets of two types',
    ({ client }) =>
      client(flightType)
        .union(client(aircraftType).where({}) as never)
        .fetchPage(),
    {
      errorName: 'UnsupportedObjectSet',
      statusCode: 400,
      parameters: { type: 'union', objectTypes: ['flight', 'aircraft'] },
    },
  ],
  [
    'a derived property',
    ({ client }) =>
      client(flightType)
        .withProperties({ planes: (base) => base.pivotTo('aircraft').aggregate('$count') })
        .fetchPage(),
    { errorName: 'UnsupportedObjectSet', statusCode: 400, parameters: { type: 'withProperties' } },
  ],
  [
    'a page token that was made up',
    ({ client }) => client(flightType).fetchPage({ $nextPageToken: 'forged' }),
    { errorName: 'InvalidPageToken', statusCode: 400, parameters: { reason: 'malformed' } },
  ],
  [
    'a caller without a token',
    ({ url, ontologyRid }) => createClient(url, ontologyRid, async () => 'of-nobody')(flightType).fetchPage(),
    { errorName: 'Default:Unauthorized', statusCode: 401 },
  ],
  [
    'an average of text',
    ({ client }) => anyAggregate(client(flightType), { 'note:avg': 'unordered' }),
    { errorName: 'AggregationMetricNotSupported', statusCode: 400 },
  ],
]

const asClause = (clause: object) => clause as WhereClause<typeof flightType>

export const refusalCalls: readonly OfficialCall[] = [
  ...refusals.map(([name, call, expected]) => ({
    name: `${name} is refused by name, with its parameters`,
    make: (world: FlightWorld) => refusedWith(call(world), expected),
  })),
  {
    name: 'fetchOne of a missing object fails, and fetchOneWithErrors says so',
    make: async ({ client }) => {
      await rejects(client(flightType).fetchOne(70_000), PalantirApiError)
      const result = await client(flightType).fetchOneWithErrors(70_000)
      ok(!isOk(result))
    },
  },
  {
    name: '503 and 429 are retried by the client itself',
    make: async ({ url, ontologyRid }) => {
      const proxy = await startBusyProxy(url, [503, 429])
      try {
        const client = createClient(proxy.url, ontologyRid, async () => testToken)
        const { totalCount } = await client(flightType).fetchPage({ $pageSize: 1 })
        equal(totalCount, '1200')
        // Two refusals, then the page and the metadata.
        deepEqual(proxy.answered, [503, 429, 200, 200])
      } finally {
        await proxy.close()
      }
    },
  },
]
