// The order of pages, computed in JavaScript from the values themselves and not from anything that PostgreSQL returns.
import type { ObjectTypeDefinition, ScalarType } from '@octavo/protocol'
import type { OrderByKey } from '../../src/read/plan/choose-order.ts'

type Properties = Readonly<Record<string, unknown>>

const bySign = (difference: bigint) => (difference < 0n ? -1 : difference > 0n ? 1 : 0)
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The decimal in units of 10^-40. */
function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(`${whole}${fraction.padEnd(40, '0')}`)
  return text.startsWith('-') ? -units : units
}

/** Padded to six decimals, so that texts compare as the times do. */
const microseconds = (text: string) => `${text.slice(0, 19)}.${text.slice(20, -1).padEnd(6, '0')}`

export function compareScalars(type: ScalarType, a: unknown, b: unknown): number {
  switch (type) {
    case 'string':
      // UTF-8 bytes compare in code point order; JavaScript's own comparison uses UTF-16 order.
      return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
    case 'boolean':
    case 'integer':
    case 'double':
      return Number(a) < Number(b) ? -1 : Number(a) > Number(b) ? 1 : 0
    case 'long':
      return bySign(BigInt(String(a)) - BigInt(String(b)))
    case 'decimal':
      return bySign(unitsOf(String(a)) - unitsOf(String(b)))
    case 'date':
      return byText(String(a), String(b))
    case 'timestamp':
      return byText(microseconds(String(a)), microseconds(String(b)))
    default:
      return type satisfies never
  }
}

/** Nulls last in both directions; ties by primary key, in the direction of the last key. */
export function expectedOrder(
  definition: ObjectTypeDefinition,
  wanted: readonly OrderByKey[],
): (a: Properties, b: Properties) => number {
  const keys = [...wanted]
  if (keys.at(-1)?.property !== definition.primaryKey) {
    keys.push({ property: definition.primaryKey, direction: keys.at(-1)?.direction ?? 'asc' })
  }
  return (a, b) => {
    for (const { property, direction } of keys) {
      const [x, y] = [a[property] ?? null, b[property] ?? null]
      if (x === null && y === null) continue
      if (x === null) return 1
      if (y === null) return -1
      const type = definition.properties[property]?.type
      if (typeof type !== 'string') throw new Error(`${property} has no order`)
      const sign = compareScalars(type, x, y)
      if (sign !== 0) return direction === 'asc' ? sign : -sign
    }
    return 0
  }
}
