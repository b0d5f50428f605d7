// An ontology that has something for every call of the clients of the API family, and its objects in memory to compare with.
import { createClient, type Client, type ObjectTypeDefinition as OsdkType } from '@osdk/client'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { Ontology } from '../../../src/catalog/ontology.ts'
import type { TestStore } from '../open-test-store.ts'
import { putObject } from '../put-object.ts'
import { testToken } from '../test-access.ts'

const flightDefinition: ObjectTypeDefinition = {
  apiName: 'flight',
  displayName: 'Flight',
  description: 'One flight of one day',
  primaryKey: 'number',
  titleProperty: 'note',
  properties: {
    number: { type: 'integer' },
    tail: { type: 'string', searchable: true },
    delay: { type: 'integer', searchable: true, sortable: true },
    note: { type: 'string', searchable: true },
    late: { type: 'boolean', searchable: true },
    miles: { type: 'long', searchable: true },
    price: { type: 'decimal', searchable: true },
    load: { type: 'double', searchable: true },
    day: { type: 'date', searchable: true },
    at: { type: 'timestamp', searchable: true, sortable: true },
    stops: { type: { array: 'integer' }, searchable: true },
    pilot: { type: { struct: { FIRST: { type: 'string' }, LAST: { type: 'string' } } }, searchable: true },
  },
  orders: [
    {
      fields: [
        { field: 'delay', direction: 'desc' },
        { field: 'at', direction: 'asc' },
      ],
    },
  ],
  links: { aircraft: { objectType: 'aircraft', foreignKeyProperty: 'tail', reverse: 'flights' } },
}

const aircraftDefinition: ObjectTypeDefinition = {
  apiName: 'aircraft',
  displayName: 'Aircraft',
  primaryKey: 'tail',
  titleProperty: 'model',
  properties: { tail: { type: 'string' }, model: { type: 'string', searchable: true } },
}

export interface Flight {
  readonly number: number
  readonly tail: string
  readonly delay?: number
  readonly note: string
  readonly late: boolean
  readonly miles: string
  readonly price: string
  readonly load: number
  readonly day: string
  readonly at: string
  readonly stops: readonly number[]
  readonly pilot: { readonly FIRST: string; readonly LAST: string }
}

export interface Aircraft {
  readonly tail: string
  readonly model?: string
}

/** More than a page holds. One tail leads to no aircraft. */
export const flights: readonly Flight[] = Array.from({ length: 1_200 }, (_, i) => ({
  number: i,
  tail: ['D-A', 'D-B/2', 'D-Z'][i % 3] ?? '',
  ...(i % 11 !== 0 && { delay: i % 7 }),
  note: `Hello world ${i % 13}`,
  late: i % 7 > 3,
  miles: String(9_007_199_254_740_990n + BigInt(i)),
  price: `${i % 50}.5`,
  load: (i % 9) / 8,
  day: `2026-01-${String(1 + (i % 28)).padStart(2, '0')}`,
  at: `2026-01-01T${String(i % 24).padStart(2, '0')}:00:00Z`,
  stops: [i % 5, 10 + (i % 3)],
  pilot: { FIRST: 'Ada', LAST: `L${i % 4}` },
}))

export const aircraft: readonly Aircraft[] = [
  { tail: 'D-A', model: 'A"320' },
  { tail: 'D-B/2', model: 'A320' },
  { tail: 'D-C' },
]

export const flightType: OsdkType = { type: 'object', apiName: 'flight' }
export const aircraftType: OsdkType = { type: 'object', apiName: 'aircraft' }

export interface FlightWorld {
  readonly url: string
  readonly ontologyRid: string
  readonly ontologyName: string
  /** The client for TypeScript, as published. */
  readonly client: Client
}

/** Declares the types in the ontology, and writes the objects. */
export async function makeFlightWorld(
  url: string,
  store: TestStore,
  ontology: Ontology,
): Promise<FlightWorld> {
  const ofAircraft = await store.applyObjectType(ontology, aircraftDefinition)
  const ofFlights = await store.applyObjectType(ontology, flightDefinition)
  await store.commit({
    parts: [
      { type: ofAircraft, changes: aircraft.map((each) => putObject(ofAircraft, { ...each })) },
      { type: ofFlights, changes: flights.map((each) => putObject(ofFlights, { ...each })) },
    ],
  })
  return {
    url,
    ontologyRid: ontology.rid,
    ontologyName: ontology.apiName,
    client: createClient(url, ontology.rid, async () => testToken),
  }
}

/** One call of a client, which throws if the answer is not the right one. */
export interface OfficialCall {
  readonly name: string
  readonly make: (world: FlightWorld) => Promise<void>
}
