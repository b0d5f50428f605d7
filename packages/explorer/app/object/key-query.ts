import type { Query } from '@octavo/client'
import type { ObjectType } from '../types/object-type.ts'

/** The object with this key, which an address has as text. */
export const keyQuery = ({ properties, primaryKey }: ObjectType, key: string): Query => ({
  type: 'eq',
  field: primaryKey,
  value: properties[primaryKey]?.type === 'integer' ? Number(key) : key,
})
