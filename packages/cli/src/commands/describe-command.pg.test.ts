import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scalarTypes, type ObjectTypeDefinition } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import { aviationTypes } from '../demo/aviation-definitions.ts'
import { requestPath } from '../connection/request-path.ts'
import { inOrder } from '../../../service/test/support/define-type.ts'

const octavo = forAllTests(serveCommand)

const struct = Object.fromEntries(scalarTypes.map((type) => [`a_${type}`, { type }]))
const everything: ObjectTypeDefinition = {
  apiName: 'everything',
  displayName: 'null',
  description: 'yes: "quoted" # no comment\n- line two',
  status: 'EXPERIMENTAL',
  visibility: 'PROMINENT',
  primaryKey: 'null',
  titleProperty: 'string',
  properties: {
    null: { type: 'long', displayName: '2024-01-01', description: '' },
    ...Object.fromEntries(
      scalarTypes.map((type) => [
        type,
        { type, required: type === 'date', searchable: true, sortable: true },
      ]),
    ),
    ...Object.fromEntries(scalarTypes.map((type) => [`${type}s`, { type: { array: type } }])),
    'com.example-x.struct': { type: { struct }, description: '#' },
    structs: { type: { array: { struct } }, searchable: true },
  },
  orders: [inOrder('string asc', 'date desc')],
  policy: { type: 'eq', field: 'boolean', value: true },
}

it.each(
  [everything, ...Object.values(aviationTypes)].map(
    (definition) => [definition.apiName, definition] as const,
  ),
)(
  'the definition of %s comes back as a file that apply accepts and finds unchanged',
  async (name, definition) => {
    await octavo.declare(definition)
    for (const format of ['yaml', 'json']) {
      const { code, out, err } = await octavo.run(['describe', name, '-o', format])
      expect(code, err).toBe(0)
      writeFileSync(join(octavo.folder, `back.${format}`), out)
      expect(await octavo.run(['apply', '-f', `back.${format}`])).toEqual({
        code: 0,
        out: `= ontology served\n= type ${name}\nNothing to change.\n`,
        err: '',
      })
    }
  },
)

it('shows properties, key, and what can be filtered and ordered by', async () => {
  await octavo.declare(aviationTypes.airport)
  expect((await octavo.run(['describe', 'airport'])).out).toMatchInlineSnapshot(`
    "airport (Airport) in served: 0 objects, version 0

    PROPERTY   TYPE                      FILTER  ORDER  NOTES  DESCRIPTION
    code       string                    yes     yes    key
    name       string                    yes     yes    title
    city       string                    yes     -
    country    string                    yes     yes
    elevation  integer                   -       yes           Metres above the sea.
    location   (latitude double, longi…  -       -
    openedOn   date                      -       yes

    LINK        LEADS TO  HOW MANY  HELD BY  BACK
    arrivals    flight    many      flight   destinationAirport
    departures  flight    many      flight   originAirport
    people      person    many      person   home
    "
  `)
})

it('lists the links of a type in both directions, for writers and as JSON', async () => {
  await octavo.declare(aviationTypes.aircraft)
  await octavo.declare(aviationTypes.flight)
  const { out } = await octavo.run(['describe', 'aircraft'])
  expect(out).toMatch(/^LINK +LEADS TO +HOW MANY +HELD BY +BACK$/m)
  expect(out).toMatch(/^flights +flight +many +flight +aircraft$/m)
  const { links, properties } = JSON.parse((await octavo.run(['describe', 'flight', '--json'])).out) as {
    readonly links: object
    readonly properties: object
  }
  expect(properties).toHaveProperty('flightId', {
    type: aviationTypes.flight.properties['flightId']?.type,
    required: true,
    searchable: true,
    sortable: true,
  })
  expect(links).toHaveProperty('aircraft', {
    objectType: 'aircraft',
    cardinality: 'ONE',
    foreignKeyProperty: 'registration',
    reverse: 'flights',
  })
})

it('a reader sees it too, but not the definition file', async () => {
  await octavo.declare(aviationTypes.flight)
  const path = requestPath`/manage/v1/ontologies/${octavo.ontologyRid}/grants/subjects/rita`
  await octavo.connection.json({ method: 'PUT', path, json: { role: 'reader' } })
  const token = ['token', 'create', '--subject', 'rita', '--scope', 'api:ontologies-read']
  const { out } = await octavo.run(token)
  const environment = { OCTAVO_URL: octavo.url, OCTAVO_TOKEN: out.trim() }
  const described = await octavo.run(['describe', 'flight'], { environment })
  expect(described).toMatchObject({ code: 0, err: '' })
  expect(described.out).toContain('flight (Flight) in served: 0 objects\n')
  expect(described.out).toMatch(/departsAt +timestamp +yes +yes/)
  expect(described.out).toContain('--order-by origin:asc,departsAt:desc')
  expect(await octavo.run(['describe', 'flight', '-o', 'yaml'], { environment })).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(
      'Only the writers of served can read the whole definition, and you are reader',
    ),
  })
  expect(await octavo.run(['describe', 'flght'], { environment })).toMatchObject({
    err: expect.stringContaining('did you mean flight?'),
  })
})
