import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { createClient, type ObjectTypeDefinition as OsdkType } from '@osdk/client'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { problemsOf } from '../../test/support/compile-text.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType, struct, structs } from '../../../service/test/support/define-type.ts'

const airline = defineType(
  'com.example.airline',
  { code: 'string' },
  { displayName: 'Airline */ of "the" \\ world' },
)

const flight = defineType(
  'flight',
  {
    number: 'integer',
    airlineCode: 'string searchable',
    gate: { type: 'string', required: true, searchable: true, displayName: 'Where it */ leaves' },
    late: 'boolean searchable',
    miles: 'long searchable',
    load: 'double',
    price: 'decimal searchable',
    day: 'date searchable',
    'takes-off': 'timestamp searchable sortable',
    stops: 'integer[] searchable',
    crew: structs({ FIRST: 'string', AGE: 'integer' }, 'searchable'),
    pilot: struct({ FIRST: 'string', 'LAST-NAME': 'string' }, 'searchable'),
  },
  {
    description: 'One flight\nof one day',
    links: {
      airline: { objectType: 'com.example.airline', foreignKeyProperty: 'airlineCode', reverse: 'flights' },
    },
  },
)

const keyed = (['long', 'date', 'timestamp'] as const).map((type) =>
  defineType(`by-${type}`, { key: { type } }, { displayName: type }),
)

/** The name of a type that no export can have. */
const reserved: ObjectTypeDefinition = { ...airline, apiName: 'class', displayName: 'Class' }

const served = forAllTests(serveCommand)
let written = ''

beforeAll(async () => {
  for (const definition of [airline, flight, reserved, ...keyed]) await served.declare(definition)
  const ran = await served.run(['types', '--osdk', '--out', 'ontology.ts'])
  expect(ran).toMatchObject({ code: 0, out: 'Wrote 6 object types of served to ontology.ts.\n' })
  written = await readFile(join(served.folder, 'ontology.ts'), 'utf8')
  for (const [type, line] of [
    ['com.example.airline', { code: 'OC' }],
    ['flight', { number: 7, airlineCode: 'OC', gate: 'A1', stops: [1, 2], pilot: { FIRST: 'Ada' } }],
  ] as const) {
    await served.connection.json({
      method: 'POST',
      path: `/manage/v1/ontologies/${served.ontologyRid}/objectTypes/${type}/batches`,
      headers: { 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify({ type: 'put', properties: line })}\n`,
    })
  }
})

describe('types --osdk', () => {
  it('compiles in a strict program, in which wrong names and values do not compile', () => {
    const program = readFileSync(join(import.meta.dirname, '../../test/support/osdk-program.txt'), 'utf8')
    expect(problemsOf({ 'ontology.ts': written, 'program.ts': program })).toEqual([])
  })

  it('lets a program see that a property has gone', () => {
    const program = `
      import { createClient } from '@osdk/client'
      import { $ontologyRid, flight } from './ontology.ts'
      const client = createClient('http://127.0.0.1:1', $ontologyRid, async () => '')
      export const page = client(flight).where({ gait: 'A1' }).fetchPage()
    `
    const problems = problemsOf({ 'ontology.ts': written, 'program.ts': program })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain("'gait'")
  })

  it('gives the client values that it can read objects with', async () => {
    const module: unknown = await import(join(served.folder, 'ontology.ts'))
    const { $ontologyRid, flight: type } = module as {
      readonly $ontologyRid: string
      readonly flight: OsdkType
    }
    const client = createClient(
      served.url,
      $ontologyRid,
      async () => served.environment['OCTAVO_TOKEN'] ?? '',
    )
    const { data } = await client(type).fetchPage()
    expect(data).toMatchObject([
      { $primaryKey: 7, $apiName: 'flight', gate: 'A1', stops: [1, 2], pilot: { FIRST: 'Ada' } },
    ])
  })

  it('does not depend on when it is written, and prints the same', async () => {
    expect((await served.run(['types', '--osdk'])).out).toBe(written)
  })

  it('prints the metadata that generators read', async () => {
    const { out } = await served.run(['types', '--osdk', '--json'])
    const metadata: unknown = JSON.parse(out)
    expect(metadata).toMatchObject({
      ontology: { apiName: 'served', rid: served.ontologyRid },
      objectTypes: { flight: { objectType: { primaryKey: 'number' }, linkTypes: [{ apiName: 'airline' }] } },
      actionTypes: {},
      interfaceTypes: {},
    })
  })
})
