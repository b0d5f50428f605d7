import type { ObjectTypeDefinition } from '@octavo/protocol'

/** A type with every kind of order: by key, by a nullable property, by declared keys in mixed directions. */
export const employeeDefinition: ObjectTypeDefinition = {
  apiName: 'employee',
  displayName: 'Employee',
  primaryKey: 'employeeId',
  titleProperty: 'fullName',
  properties: {
    employeeId: { type: 'string' },
    fullName: { type: 'string', sortable: true, searchable: true },
    department: { type: 'string', sortable: true },
    age: { type: 'integer', sortable: true, searchable: true },
    salary: { type: 'decimal', sortable: true },
    badge: { type: 'long', required: true, sortable: true },
    rating: { type: 'double', sortable: true },
    hiredAt: { type: 'timestamp', sortable: true },
    birthday: { type: 'date', sortable: true },
    active: { type: 'boolean', sortable: true },
    notes: { type: 'string', searchable: true },
    names: {
      type: { array: { struct: { firstName: { type: 'string' }, lastName: { type: 'string' } } } },
      searchable: true,
    },
    tags: { type: { array: 'string' }, searchable: true },
    address: { type: { struct: { city: { type: 'string' }, floor: { type: 'integer' } } }, searchable: true },
  },
  orders: [
    {
      fields: [
        { field: 'department', direction: 'asc' },
        { field: 'age', direction: 'desc' },
      ],
    },
    {
      fields: [
        { field: 'active', direction: 'desc' },
        { field: 'hiredAt', direction: 'asc' },
        { field: 'rating', direction: 'desc' },
      ],
    },
  ],
}
