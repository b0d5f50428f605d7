// Aggregates computed in memory from the specification (P300 to P312), with whole numbers of any size.
import type { Aggregation, GroupBy, ScalarType } from '@octavo/protocol'
import { compareValues } from './compare-values.ts'
import type { ModelType, Properties } from './model-type.ts'

interface ModelGroup {
  readonly group: Readonly<Record<string, unknown>>
  readonly metrics: readonly { readonly name: string; readonly value?: unknown }[]
}

export type ModelAnswer =
  { readonly data: readonly ModelGroup[]; readonly excludedItems?: number } | { readonly tooLarge: true }

export interface AskedAggregate {
  readonly aggregation: readonly Aggregation[]
  readonly groupBy: readonly GroupBy[]
}

/** Every double is a whole number of units of 10^-340 when it is written in decimals. */
const places = 340

function unitsOf(value: unknown): bigint {
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.')
  const units = BigInt(whole + fraction) * 10n ** BigInt(places - fraction.length + Number(exponent))
  return digits.startsWith('-') ? -units : units
}

/** The shortest text of a decimal. */
function textOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  let fraction = digits.slice(-places)
  while (fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`
}

const numberOf = (units: bigint): number => Number(`${units}e-${places}`) + 0

const inType = (scalar: ScalarType, units: bigint): number | string =>
  scalar === 'long' || scalar === 'decimal' ? textOf(units) : numberOf(units)

const isNumber = (scalar: ScalarType): boolean => ['integer', 'long', 'double', 'decimal'].includes(scalar)

const shown = (scalar: ScalarType, value: unknown): unknown =>
  isNumber(scalar) ? inType(scalar, unitsOf(value)) : value

export function fieldOf({ properties }: ModelType, field: string) {
  const [property = '', component] = field.split(':')
  const type = properties[property]?.type
  const scalar =
    typeof type === 'string'
      ? type
      : type && 'struct' in type
        ? type.struct[component ?? '']?.type
        : undefined
  if (scalar === undefined) throw new Error(`${field} has no scalar type`)
  const valueIn = (object: Properties): unknown =>
    component === undefined ? object[property] : (object[property] as Properties | undefined)?.[component]
  return { scalar, valueIn }
}

/** Where a value belongs: what is shown of the group, and what orders it. */
interface Place {
  readonly shown: unknown
  readonly compare: (other: Place) => number
  readonly rank: unknown
}

function placeIn(definition: ModelType, item: GroupBy, object: Properties): Place | undefined {
  const { scalar, valueIn } = fieldOf(definition, item.field)
  const value = valueIn(object)
  const placed = (what: unknown, rank: unknown, by: ScalarType): Place => ({
    shown: what,
    rank,
    compare: (other) => {
      if (rank !== null && other.rank !== null) return compareValues(by, rank, other.rank)
      // The null of a range is a start that it does not have: there are no values before it.
      return (Number(rank === null) - Number(other.rank === null)) * (item.type === 'ranges' ? -1 : 1)
    },
  })
  if (value === undefined) {
    return item.type === 'exact' && item.includeNullValues === true ? placed(null, null, scalar) : undefined
  }
  switch (item.type) {
    case 'exact':
      return placed(shown(scalar, value), value, scalar)
    case 'ranges': {
      const range = item.ranges.find(
        ({ startValue, endValue }) =>
          (startValue == null || compareValues(scalar, value, startValue) >= 0) &&
          (endValue == null || compareValues(scalar, value, endValue) < 0),
      )
      if (range === undefined) return undefined
      const ends = Object.entries(range).map(([name, end]) => [name, shown(scalar, end)])
      const { startValue } = range
      return placed(Object.fromEntries(ends), startValue ?? null, scalar)
    }
    case 'fixedWidth': {
      const [units, width] = [unitsOf(value), unitsOf(item.fixedWidth)]
      const start = units - (((units % width) + width) % width)
      return placed(inType(scalar, start), inType(scalar, start), scalar)
    }
    case 'duration': {
      const start = startOf(value as string, item)
      return placed(scalar === 'date' ? start.slice(0, 10) : start, start, 'timestamp')
    }
    default:
      return item satisfies never
  }
}

const seconds = { SECONDS: 1, MINUTES: 60, HOURS: 3_600, DAYS: 86_400, WEEKS: 604_800 }

function startOf(text: string, { value, unit }: Extract<GroupBy, { type: 'duration' }>): string {
  const moment = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19) || '00:00:00'}Z`)
  if (unit === 'MONTHS' || unit === 'YEARS') {
    const day = new Date(moment)
    const months = day.getUTCFullYear() * 12 + day.getUTCMonth()
    const length = value * (unit === 'YEARS' ? 12 : 1)
    const start = Math.max(12, Math.floor(months / length) * length)
    const year = String(Math.floor(start / 12)).padStart(4, '0')
    return `${year}-${String((start % 12) + 1).padStart(2, '0')}-01T00:00:00Z`
  }
  const first = Date.parse('0001-01-01T00:00:00Z')
  const length = value * seconds[unit] * 1_000
  return new Date(first + Math.floor((moment - first) / length) * length).toISOString().replace('.000', '')
}

export interface ModelMetric {
  readonly value?: unknown
  /** What orders it: a fraction, or a value of the property. */
  readonly rank?:
    | { readonly over: bigint; readonly under: bigint }
    | { readonly value: unknown; readonly scalar: ScalarType }
  readonly tooLarge?: boolean
}

export type MetricOf = (
  definition: ModelType,
  item: Aggregation,
  objects: readonly Properties[],
) => ModelMetric

export const metricOf: MetricOf = (definition, item, objects) => {
  const whole = (count: number): ModelMetric => ({ value: count, rank: { over: BigInt(count), under: 1n } })
  if (item.type === 'count') return whole(objects.length)
  const { scalar, valueIn } = fieldOf(definition, item.field)
  const values = objects.map(valueIn).filter((value) => value !== undefined)
  const ordered = values.toSorted((a, b) => compareValues(scalar, a, b))
  switch (item.type) {
    case 'exactDistinct':
    case 'approximateDistinct':
      return whole(
        ordered.filter((value, i) => i === 0 || compareValues(scalar, ordered[i - 1], value) !== 0).length,
      )
    case 'min':
    case 'max': {
      const end = ordered.at(item.type === 'min' ? 0 : -1)
      return end === undefined ? {} : { value: shown(scalar, end), rank: { value: end, scalar } }
    }
    case 'sum': {
      const sum = values.reduce<bigint>((total, value) => total + unitsOf(value), 0n)
      const value = inType(scalar, sum)
      return { value, rank: { over: sum, under: 1n }, tooLarge: Math.abs(Number(value)) === Infinity }
    }
    case 'avg': {
      if (values.length === 0) return {}
      const sum = values.reduce<bigint>((total, value) => total + unitsOf(value), 0n)
      const under = BigInt(values.length)
      const value = Number(`${(sum * 10n ** 1_200n) / under}e-${places + 1_200}`) + 0
      return { value, rank: { over: sum, under }, tooLarge: Math.abs(value) === Infinity }
    }
    default:
      return item satisfies never
  }
}

function compareRanks(a: ModelMetric['rank'], b: ModelMetric['rank']): number {
  if (a === undefined || b === undefined) return 0
  if ('scalar' in a && 'scalar' in b) return compareValues(a.scalar, a.value, b.value)
  if ('over' in a && 'over' in b) {
    const difference = a.over * b.under - b.over * a.under
    return difference < 0n ? -1 : Number(difference > 0n)
  }
  throw new Error('two ranks of one metric')
}

export const nameOf = (item: Aggregation): string =>
  item.name ?? (item.type === 'count' ? 'count' : `${item.field}.${item.type}`)

/** The aggregate of the objects; `metric` computes each value. */
export function aggregated(
  definition: ModelType,
  { aggregation, groupBy }: AskedAggregate,
  objects: readonly Properties[],
  metric: MetricOf = metricOf,
): ModelAnswer {
  const groups = new Map<string, { readonly places: readonly Place[]; readonly members: Properties[] }>()
  if (groupBy.length === 0) groups.set('[]', { places: [], members: [] })
  for (const object of objects) {
    const found = groupBy.map((item) => placeIn(definition, item, object))
    const placed = found.filter((place) => place !== undefined)
    if (placed.length < found.length) continue
    const key = JSON.stringify(placed.map((place) => place.shown))
    const group = groups.get(key) ?? { places: placed, members: [] }
    group.members.push(object)
    groups.set(key, group)
  }
  const by = aggregation.findIndex(({ direction }) => direction != null)
  const sign = aggregation[by]?.direction?.toLowerCase() === 'desc' ? -1 : 1
  const computed = [...groups.values()].map(({ places: at, members }) => ({
    at,
    members,
    metrics: aggregation.map((item) => metric(definition, item, members)),
  }))
  const ordered = computed.toSorted((a, b) => {
    const [x, y] = [a.metrics[by]?.rank, b.metrics[by]?.rank]
    const first = by < 0 ? 0 : Number(x === undefined) - Number(y === undefined) || sign * compareRanks(x, y)
    if (first !== 0) return first
    return a.at.map((place, i) => place.compare(b.at[i] ?? place)).find((one) => one !== 0) ?? 0
  })
  const most = Math.min(
    ...groupBy.map((item) => (item.type === 'exact' ? (item.maxGroupCount ?? Infinity) : Infinity)),
  )
  const kept = ordered.slice(0, most)
  if (kept.some(({ metrics }) => metrics.some(({ tooLarge }) => tooLarge))) return { tooLarge: true }
  const excluded = ordered.slice(most).reduce((sum, { members }) => sum + members.length, 0)
  return {
    data: kept.map(({ at, metrics }) => ({
      group: Object.fromEntries(groupBy.map(({ field }, i) => [field, at[i]?.shown])),
      metrics: aggregation.map((item, i) => ({
        name: nameOf(item),
        ...(metrics[i]?.value !== undefined && { value: metrics[i].value }),
      })),
    })),
    ...(excluded > 0 && { excludedItems: excluded }),
  }
}
