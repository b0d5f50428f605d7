// Random aggregates that fit a generated type.
import {
  durationUnits,
  type Aggregation,
  type GroupBy,
  type ObjectTypeDefinition,
  type ScalarType,
} from '@octavo/protocol'
import { fieldOf, type AskedAggregate } from '../contract/aggregate.ts'
import { compareValues } from '../contract/compare-values.ts'
import type { Random } from './seeded-random.ts'
import { anyValue } from './value-pools.ts'

const numbers: ReadonlySet<ScalarType> = new Set(['integer', 'long', 'double', 'decimal'])
const times: ReadonlySet<ScalarType> = new Set(['date', 'timestamp'])

type Field = { readonly field: string; readonly scalar: ScalarType }

function fieldsOf(definition: ObjectTypeDefinition): readonly Field[] {
  return Object.entries(definition.properties).flatMap(([name, { type, searchable, sortable }]) => {
    if (!searchable && !sortable && name !== definition.primaryKey) return []
    if (typeof type === 'object' && 'array' in type) return []
    const names = typeof type === 'string' ? [name] : Object.keys(type.struct).map((one) => `${name}:${one}`)
    return names.map((field) => ({ field, scalar: fieldOf(definition, field).scalar }))
  })
}

const some = <T>(random: Random, values: readonly T[]): T => random.pick(values as readonly [T, ...T[]])

export function generateAggregate(random: Random, definition: ObjectTypeDefinition): AskedAggregate {
  const fields = fieldsOf(definition)
  const aggregation = Array.from({ length: random.integer(1, 4) }, (_, i) => ({
    ...anyMetric(random, some(random, fields)),
    ...(random.chance(0.5) && { name: `m${i}` }),
  }))
  const named = aggregation.filter((item, i) => {
    const nameOf = (one: Aggregation) => one.name ?? JSON.stringify([one.type, 'field' in one && one.field])
    return aggregation.findIndex((other) => nameOf(other) === nameOf(item)) === i
  })
  const ordered = random.chance(0.4) ? random.integer(0, named.length - 1) : -1
  const groupBy = Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () =>
    anyGrouping(random, some(random, fields)),
  )
  return {
    aggregation: named.map((item, i) =>
      i === ordered ? { ...item, direction: random.pick(['ASC', 'DESC', 'asc', 'desc']) } : item,
    ),
    groupBy: groupBy.filter(({ field }, i) => groupBy.findIndex((other) => other.field === field) === i),
  }
}

function anyMetric(random: Random, { field, scalar }: Field): Aggregation {
  const types = [
    'exactDistinct' as const,
    'approximateDistinct' as const,
    ...(scalar === 'boolean' ? [] : (['min', 'max'] as const)),
    ...(numbers.has(scalar) ? (['sum', 'avg', 'sum', 'avg'] as const) : []),
  ]
  return random.chance(0.25) ? { type: 'count' } : { type: some(random, types), field }
}

function anyGrouping(random: Random, { field, scalar }: Field): GroupBy {
  const isNumber = numbers.has(scalar)
  if (times.has(scalar) && random.chance(0.5)) {
    const units = durationUnits.filter((_unit, i) => scalar === 'timestamp' || i > 2)
    return { type: 'duration', field, value: random.pick([1, 1, 2, 3, 10, 90]), unit: some(random, units) }
  }
  if ((isNumber || times.has(scalar)) && random.chance(0.3)) {
    const ends = Array.from({ length: random.integer(2, 4) }, () => anyValue(random, scalar))
      .toSorted((a, b) => compareValues(scalar, a, b))
      .filter((value, i, all) => i === 0 || compareValues(scalar, all[i - 1], value) !== 0)
    const ranges = ends.slice(1).map((end, i) => ({ startValue: ends[i] ?? end, endValue: end }))
    const last = { startValue: ends.at(-1) ?? 0 }
    const first = random.chance(0.5) ? [{ endValue: ends[0] ?? 0 }] : []
    return { type: 'ranges', field, ranges: [last, ...ranges.toReversed(), ...first] }
  }
  if (isNumber && random.chance(0.4)) {
    const whole = scalar === 'integer' || scalar === 'long'
    return {
      type: 'fixedWidth',
      field,
      fixedWidth: whole ? random.pick([1, 2, 1_000]) : random.pick([0.1, 0.75, 3]),
    }
  }
  return {
    type: 'exact',
    field,
    ...(random.chance(0.4) && { includeNullValues: true }),
    ...(random.chance(0.2) && { maxGroupCount: random.integer(1, 5) }),
  }
}
