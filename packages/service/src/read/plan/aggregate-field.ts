// Which property an aggregate is about, and whether its type allows it.
import { baseTypeName, type ScalarType } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { findField, notSearchable } from '../../catalog/filter/resolve-filter.ts'
import { columnOf, type ObjectType } from '../../catalog/object-type.ts'
import type { AggregateField } from './aggregate-plan.ts'

const numbers = ['integer', 'long', 'double', 'decimal'] as const
const times = ['date', 'timestamp'] as const
const all: readonly ScalarType[] = ['string', 'boolean', ...numbers, ...times]

/** Which types of property each aggregation and each way of grouping is for. */
const fitting: Readonly<Record<string, readonly ScalarType[]>> = {
  min: ['string', ...numbers, ...times],
  max: ['string', ...numbers, ...times],
  sum: numbers,
  avg: numbers,
  exactDistinct: all,
  approximateDistinct: all,
  exact: all,
  ranges: [...numbers, ...times],
  fixedWidth: numbers,
  duration: times,
}
const metrics = new Set(['min', 'max', 'sum', 'avg', 'exactDistinct', 'approximateDistinct'])

/** The column that an aggregation or a grouping of this type needs. */
export function aggregateField(type: ObjectType, field: string, use: string): AggregateField {
  const { property, component, definition } = findField(type, field)
  const item =
    typeof definition.type === 'object' && 'array' in definition.type
      ? definition.type.array
      : definition.type
  const scalar = typeof item === 'string' ? item : item.struct[component ?? '']?.type
  const isArray = item !== definition.type
  invariant(scalar !== undefined, 'field-without-a-type')
  if (isArray || fitting[use]?.includes(scalar) !== true) {
    throw new ServiceError('AggregationMetricNotSupported', {
      type: use,
      property,
      propertyBaseType: baseTypeName(definition.type),
      reason: isArray ? 'array' : 'propertyType',
      supported: isArray ? [] : othersFor(scalar, use),
    })
  }
  if (property === type.key.property) return { field, property, column: 'pk', scalar }
  const column = columnOf(type, property, component)
  // Not declared, or its values are still being filled.
  const isDeclared = definition.searchable || definition.sortable || (definition.counted && use === 'exact')
  if (!isDeclared || column?.filled !== true) {
    throw notSearchable(type, property)
  }
  return { field, property, column: column.name, scalar }
}

/** What else the type allows: metrics instead of a metric, groupings instead of a grouping. */
const othersFor = (scalar: ScalarType, use: string): string[] =>
  Object.keys(fitting).filter(
    (other) => metrics.has(other) === metrics.has(use) && fitting[other]?.includes(scalar),
  )
