import type { DeclaredOrder, ObjectTypeDefinition } from '@octavo/protocol'
import type { OrderByKey } from '../../src/read/request/page-request.ts'

/** The composite orders of a definition, as requests for pages name them. */
export const declaredOrders = ({ orders = [] }: ObjectTypeDefinition): readonly (readonly OrderByKey[])[] =>
  orders.map(({ fields }) => fields.map(({ field, direction }) => ({ property: field, direction })))

/** An order that requests name, as a definition declares it. */
export const declaredOrder = (...keys: readonly OrderByKey[]): DeclaredOrder => ({
  fields: keys.map(({ property, direction }) => ({ field: property, direction })),
})
