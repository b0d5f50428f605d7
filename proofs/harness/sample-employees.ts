// Objects of about 400 bytes, generated from their number alone.
import type { ObjectTypeDefinition } from '@octavo/protocol'

export const sampleDefinition: ObjectTypeDefinition = {
  apiName: 'employee',
  displayName: 'Employee',
  primaryKey: 'employeeId',
  titleProperty: 'fullName',
  properties: {
    employeeId: { type: 'string' },
    fullName: { type: 'string' },
    department: { type: 'string', sortable: true, required: true },
    age: { type: 'integer', sortable: true, searchable: true },
    about: { type: 'string' },
    email: { type: 'string' },
    hiredAt: { type: 'timestamp' },
  },
  orders: [
    {
      fields: [
        { field: 'department', direction: 'asc' },
        { field: 'age', direction: 'desc' },
      ],
    },
  ],
}

const about = 'Reads collections page by page and wonders whether one was lost on the way. '.repeat(2)

export const keyOf = (number: number): string => `employee-${String(number).padStart(9, '0')}`

export const sampleEmployee = (number: number, edition = 0) => ({
  employeeId: keyOf(number),
  fullName: `Person ${number} of the sample, edition ${edition}`,
  department: `department-${number % 97}`,
  // Every tenth object has no age.
  age: number % 10 === 0 ? null : (number * 7919) % 90,
  about,
  email: `person.${number}@example.org`,
  hiredAt: `20${String(10 + (number % 15))}-05-01T12:00:00.${String(number % 1_000_000).padStart(6, '0')}Z`,
})
