// A value of a property, as the Parquet writer takes it. Nothing is rounded: what does not fit is refused.
import type { PropertyType, ScalarType } from '@octavo/protocol'

export class UnfitValue extends Error {}

/** The value, and about how many bytes it takes. */
export interface ParquetValue {
  readonly value: unknown
  readonly bytes: number
}

export function parquetValue(value: unknown, type: PropertyType): ParquetValue {
  if (typeof type === 'string') return scalarValue(value, type)
  if ('array' in type) {
    if (!Array.isArray(value)) throw new UnfitValue()
    const items = value.map((item) => parquetValue(item, type.array))
    return { value: items.map((item) => item.value), bytes: sumOf(items) }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UnfitValue()
  for (const name in value) if (!Object.hasOwn(type.struct, name)) throw new UnfitValue()
  const given = new Map(Object.entries(value))
  // Without a prototype, so that a component named `constructor` is absent if it has no value.
  const components = Object.create(null) as Record<string, unknown>
  let bytes = 0
  for (const [name, component] of Object.entries(type.struct)) {
    const part = given.get(name)
    if (part === undefined) continue
    const made = scalarValue(part, component.type)
    components[name] = made.value
    bytes += made.bytes
  }
  return { value: components, bytes }
}

const sumOf = (values: readonly ParquetValue[]): number => values.reduce((sum, { bytes }) => sum + bytes, 0)

/** About what a number takes, and what a text takes beside its letters. */
const fewBytes = 8

function scalarValue(value: unknown, type: ScalarType): ParquetValue {
  switch (type) {
    case 'string':
    case 'decimal':
      if (typeof value === 'string') return { value, bytes: fewBytes + value.length }
      break
    case 'boolean':
      if (typeof value === 'boolean') return few(value)
      break
    case 'integer':
      if (typeof value === 'number' && value === (value | 0)) return few(value)
      break
    case 'double':
      if (typeof value === 'number') return few(value)
      break
    case 'long':
      if (typeof value === 'string' && /^-?\d{1,19}$/.test(value)) return few(in64Bits(BigInt(value)))
      break
    case 'date':
      if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return few(daysOf(value))
      break
    case 'timestamp':
      if (typeof value === 'string') return few(microsecondsOf(value))
      break
    default:
      return type satisfies never
  }
  throw new UnfitValue()
}

const few = (value: unknown): ParquetValue => ({ value, bytes: fewBytes })

function in64Bits(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new UnfitValue()
  return value
}

/** Since 1970-01-01. */
const daysOf = (date: string): number => millisecondsOf(date) / 86_400_000

/** Since 1970-01-01T00:00:00Z. Milliseconds would lose three digits, and nanoseconds would end in the year 2262. */
function microsecondsOf(timestamp: string): bigint {
  const [, seconds, fraction = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.](\d{1,6}))?Z$/.exec(timestamp) ?? []
  if (seconds === undefined) throw new UnfitValue()
  return BigInt(millisecondsOf(`${seconds}Z`)) * 1_000n + BigInt(fraction.padEnd(6, '0'))
}

/** JavaScript takes a 31st of February for one of March. */
function millisecondsOf(time: string): number {
  const milliseconds = Date.parse(time)
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(time.replace('Z', ''))) {
    throw new UnfitValue()
  }
  return milliseconds
}
