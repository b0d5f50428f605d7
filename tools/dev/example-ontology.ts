// What a fresh development database holds, so that the first request has an answer. README.md shows it.
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { openTestStore } from '../../packages/service/src/testing/open-test-store.ts'
import { putObject } from '../../packages/service/src/testing/put-object.ts'
import { grantTo, newTokenOf } from '../../packages/service/src/testing/test-access.ts'

const employee: ObjectTypeDefinition = {
  apiName: 'employee',
  displayName: 'Employee',
  description: 'A made-up person in a made-up library.',
  primaryKey: 'employeeId',
  titleProperty: 'fullName',
  properties: {
    employeeId: { type: 'integer' },
    fullName: { type: 'string', searchable: true, sortable: true },
    department: { type: 'string', searchable: true, sortable: true },
    startedOn: { type: 'date', sortable: true },
    name: { type: { array: { struct: { firstName: 'string', lastName: 'string' } } }, searchable: true },
  },
  orders: [
    [
      { property: 'department', direction: 'asc' },
      { property: 'startedOn', direction: 'desc' },
    ],
  ],
}

const people = [
  ['Mira', 'Okafor', 'Catalogue', '2014-03-03'],
  ['Jonas', 'Lindqvist', 'Catalogue', '2019-09-16'],
  ['Leila', 'Haddad', 'Bindery', '2011-01-10'],
  ['Tomás', 'Ferreira', 'Bindery', '2022-06-01'],
  ['Ines', 'Marchetti', 'Reading room', '2017-11-20'],
  ['Samuel', 'Adeyemi', 'Reading room', '2020-02-24'],
  ['Hanna', 'Kowalska', 'Loans', '2016-08-08'],
  ['Daniel', 'Brandt', 'Loans', '2023-04-17'],
  ['Aiko', 'Tanaka', 'Maps', '2009-05-04'],
  ['Ruth', 'Abrams', 'Maps', '2018-10-01'],
  ['Emil', 'Novák', 'Archive', '2013-07-15'],
  ['Clara', 'Duarte', 'Archive', '2024-01-08'],
] as const

export interface ExampleOntology {
  readonly rid: string
  /** Of a caller who owns it. */
  readonly token: string
}

/** Makes the ontology `example` with its API family; its rids are the same in every development database. */
export async function makeExampleOntology(databaseUrl: string): Promise<ExampleOntology> {
  let made = 0
  const randomUuid = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`
  const store = openTestStore({ databaseUrl, databasePoolSize: 2 }, { randomUuid })
  try {
    const ontology = await store.applyOntology({
      apiName: 'example',
      displayName: 'Example',
      description: 'The staff of a library.',
      apiFamilies: ['example'],
    })
    const type = await store.applyObjectType(ontology, employee)
    const changes = people.map(([firstName, lastName, department, startedOn], i) =>
      putObject(type, {
        employeeId: 1001 + i,
        fullName: `${firstName} ${lastName}`,
        department,
        startedOn,
        name: [{ firstName, lastName }],
      }),
    )
    await store.commit({ parts: [{ type, changes }] })
    await grantTo(store, 'developer', ontology.rid, 'owner')
    const { token } = await newTokenOf(store, { subject: 'developer' })
    return { rid: ontology.rid, token }
  } finally {
    await store.database.close()
  }
}
