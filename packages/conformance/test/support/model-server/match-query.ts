import type { Query, ScalarType, ScalarValue } from '@octavo/protocol'
import { compareValues } from '../../../src/subject/compare-values.ts'
import { thingType, type ModelObject } from './model-data.ts'

/** Supports only the queries that the kit sends: the model is about paging. */
export function matches(query: Query, object: ModelObject): boolean {
  switch (query.type) {
    case 'empty':
      return true
    case 'and':
      return query.value.every((part) => matches(part, object))
    case 'or':
      return query.value.some((part) => matches(part, object))
    case 'not':
      return !matches(query.value, object)
    case 'isNull':
      return (object[query.field] === undefined) === query.value
    case 'in':
      if (Array.isArray(object[query.field]))
        return [object[query.field]].flat().some((held) => query.value.some((value) => value === held))
      return query.value.some((value) => compared(object, query.field, value) === 0)
    case 'eq':
      return compared(object, query.field, query.value) === 0
    case 'lt':
      return compared(object, query.field, query.value) < 0
    case 'lte':
      return compared(object, query.field, query.value) <= 0
    case 'gt':
      return compared(object, query.field, query.value) > 0
    case 'gte':
      return compared(object, query.field, query.value) >= 0
    default:
      return false
  }
}

/** NaN if there is no value, because every comparison with NaN is false. */
function compared(object: ModelObject, property: string, value: ScalarValue): number {
  const own = object[property]
  const type = thingType.properties[property]?.type
  if (own === undefined || typeof own === 'object' || typeof type !== 'string') return Number.NaN
  return compareValues(type satisfies ScalarType, own, value)
}
