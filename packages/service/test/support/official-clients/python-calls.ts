// The requests of the SDK for Python, replayed as its source builds them: lists as repeated parameters, path segments with every
// reserved character escaped, and bodies without spaces. Its models refuse an answer that lacks a required member.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { aircraft, flights, type OfficialCall } from './flight-world.ts'
import { get, post, type RawAnswer } from './raw-requests.ts'

type Row = Readonly<Record<string, unknown>>

function rowsOf({ status, body }: RawAnswer, required: readonly string[]): readonly Row[] {
  equal(status, 200, JSON.stringify(body))
  for (const member of required) ok(member in body, `the answer has no ${member}`)
  // An empty string would make its iterator ask for ever, and null is not a token either.
  if ('nextPageToken' in body) ok(typeof body['nextPageToken'] === 'string' && body['nextPageToken'] !== '')
  return body['data'] as readonly Row[]
}

const keysOf = (rows: readonly Row[]): readonly unknown[] => rows.map((row) => row['__primaryKey'])

export const pythonCalls: readonly OfficialCall[] = [
  {
    name: 'Python: OntologyObject.list walks a type to its end',
    make: async ({ url, ontologyName }) => {
      const found: unknown[] = []
      let token = ''
      do {
        const answer = await get(
          url,
          `/api/v2/ontologies/${ontologyName}/objects/flight?orderBy=properties.delay%3Aasc&pageSize=700&select=delay&select=stops&snapshot=true&excludeRid=true${token}`,
        )
        const rows = rowsOf(answer, ['data', 'totalCount'])
        ok(rows.length > 0, 'an empty page breaks its iterator')
        equal(answer.body['totalCount'], '1200')
        ok(rows.every((row) => !('__rid' in row) && row['__apiName'] === 'flight'))
        found.push(...keysOf(rows))
        const next = answer.body['nextPageToken']
        token = typeof next === 'string' ? `&pageToken=${next}` : ''
      } while (token !== '')
      deepEqual(
        found.toSorted((a, b) => Number(a) - Number(b)),
        flights.map(({ number }) => number),
      )
    },
  },
  {
    name: 'Python: OntologyObject.get reads one object, its key escaped',
    make: async ({ url, ontologyRid }) => {
      const { status, body } = await get(url, `/api/v2/ontologies/${ontologyRid}/objects/aircraft/D-B%2F2`)
      equal(status, 200)
      const { __rid, ...rest } = body
      ok(typeof __rid === 'string' && __rid.startsWith('ri.'))
      deepEqual(rest, {
        __primaryKey: 'D-B/2',
        __apiName: 'aircraft',
        __title: 'A320',
        ...aircraft[1],
      })
    },
  },
  {
    name: 'Python: OntologyObject.search',
    make: async ({ url, ontologyName }) => {
      const answer = await post(url, `/api/v2/ontologies/${ontologyName}/objects/flight/search`, {
        where: { type: 'and', value: [{ type: 'eq', field: 'delay', value: 1 }] },
        orderBy: { fields: [{ field: 'delay', direction: 'asc' }] },
        pageSize: 1_000,
        select: ['delay'],
        excludeRid: true,
      })
      const rows = rowsOf(answer, ['data', 'totalCount'])
      const expected = flights.filter(({ delay }) => delay === 1).map(({ number }) => number)
      deepEqual(keysOf(rows), expected)
      equal(answer.body['totalCount'], String(expected.length))
    },
  },
  {
    name: 'Python: OntologyObject.count sends no body',
    make: async ({ url, ontologyName }) => {
      const { status, body } = await post(url, `/api/v2/ontologies/${ontologyName}/objects/flight/count`)
      deepEqual([status, body], [200, { count: 1_200 }])
    },
  },
  {
    name: 'Python: OntologyObject.aggregate',
    make: async ({ url, ontologyName }) => {
      const { status, body } = await post(
        url,
        `/api/v2/ontologies/${ontologyName}/objects/flight/aggregate`,
        {
          aggregation: [{ type: 'count', name: 'n' }],
          where: { type: 'eq', field: 'late', value: true },
          groupBy: [],
          accuracy: 'REQUIRE_ACCURATE',
        },
      )
      deepEqual([status, body['accuracy']], [200, 'ACCURATE'])
      const value = flights.filter(({ late }) => late).length
      deepEqual(body['data'], [{ group: {}, metrics: [{ name: 'n', value }] }])
    },
  },
  {
    name: 'Python: LinkedObject.list_linked_objects',
    make: async ({ url, ontologyName }) => {
      const answer = await get(
        url,
        `/api/v2/ontologies/${ontologyName}/objects/aircraft/D-B%2F2/links/flights?pageSize=2`,
      )
      deepEqual(keysOf(rowsOf(answer, ['data', 'nextPageToken'])), [1, 4])
    },
  },
  {
    name: 'Python: OntologyObjectSet.load',
    make: async ({ url, ontologyName }) => {
      const answer = await post(url, `/api/v2/ontologies/${ontologyName}/objectSets/loadObjects`, {
        objectSet: { type: 'base', objectType: 'aircraft' },
        select: [],
        pageSize: 10,
      })
      const rows = rowsOf(answer, ['data', 'totalCount'])
      deepEqual(
        keysOf(rows),
        aircraft.map(({ tail }) => tail),
      )
      ok(!('nextPageToken' in answer.body))
    },
  },
  {
    name: 'Python: Ontology and ObjectType, with every member that its models require',
    make: async ({ url, ontologyName, ontologyRid }) => {
      const at = `/api/v2/ontologies/${ontologyName}`
      const requires = async (path: string, members: readonly string[]) => {
        const { status, body } = await get(url, path)
        equal(status, 200)
        for (const member of members) ok(member in body, `${path} has no ${member}`)
        return body
      }
      const ofOntology = ['apiName', 'displayName', 'description', 'rid']
      const ofType = ['apiName', 'displayName', 'status', 'pluralDisplayName', 'icon', 'primaryKey']
      const ofTypeToo = [...ofType, 'properties', 'rid', 'titleProperty']
      const [only] = (await requires('/api/v2/ontologies', ['data']))['data'] as readonly Row[]
      deepEqual(only, await requires(at, ofOntology))
      equal(only?.['rid'], ontologyRid)
      await requires(`${at}/objectTypes`, ['data'])
      await requires(`${at}/objectTypes/flight`, ofTypeToo)
      const full = ['objectType', 'linkTypes', 'implementsInterfaces', 'implementsInterfaces2']
      await requires(`${at}/objectTypes/flight/fullMetadata`, [...full, 'sharedPropertyTypeMapping'])
      const parts = ['ontology', 'objectTypes', 'actionTypes', 'queryTypes', 'interfaceTypes']
      await requires(`${at}/fullMetadata`, [...parts, 'sharedPropertyTypes', 'valueTypes'])
    },
  },
]
