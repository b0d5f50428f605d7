import type { DeclaredOrder, ObjectTypeDefinition } from '@octavo/protocol'
import type { WantedKey } from '../../src/read/request/page-request.ts'

/** The composite orders of a definition, as requests for pages name them. */
export const declaredOrders = ({ orders = [] }: ObjectTypeDefinition): readonly (readonly WantedKey[])[] =>
  orders.map(({ fields }) => fields.map(({ field, direction }) => ({ property: field, direction })))

/** An order that requests name, as a definition declares it. */
export const declaredOrder = (...keys: readonly WantedKey[]): DeclaredOrder => ({
  fields: keys.map(({ property, direction }) => ({ field: property, direction })),
})
