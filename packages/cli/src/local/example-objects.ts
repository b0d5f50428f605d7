// The contents of a development database, so that the first request returns something. README.md shows it.
import type { ObjectTypeDefinition, OntologyDefinition } from '@octavo/protocol'

export const exampleOntology: OntologyDefinition = {
  apiName: 'example',
  displayName: 'Example',
  description: 'The staff of a library.',
  apiFamilies: ['example'],
}

export const exampleEmployee: ObjectTypeDefinition = {
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
    name: {
      type: { array: { struct: { firstName: { type: 'string' }, lastName: { type: 'string' } } } },
      searchable: true,
    },
  },
  orders: [
    {
      fields: [
        { field: 'department', direction: 'asc' },
        { field: 'startedOn', direction: 'desc' },
      ],
    },
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

export const exampleObjects = people.map(([firstName, lastName, department, startedOn], i) => ({
  employeeId: 1001 + i,
  fullName: `${firstName} ${lastName}`,
  department,
  startedOn,
  name: [{ firstName, lastName }],
}))
