// A type under load: its model, the keys that writers choose from, and the objects they put.
import { declaredOrders, ObjectVersions, type OrderKey, type Properties, type Random } from '@octavo/model'
import type { ObjectType } from '../../../src/catalog/object-type.ts'

export interface ModelledType {
  readonly type: ObjectType
  readonly versions: ObjectVersions<Properties>
  readonly keys: readonly [string, ...string[]]
  readonly makeObject: (key: string, random: Random) => Properties
  readonly orders: readonly [readonly OrderKey[], ...(readonly OrderKey[])[]]
}

// Ties are frequent, values are at the limits of their types, and UTF-16 order is not code point order.
const strings = [
  '',
  'a',
  'A',
  'aa',
  'é',
  '～x',
  '😀',
  '😀a',
  'line\nend',
  '"quoted\\"',
  '\u0001,\n',
  '}},{',
] as const
const longs = ['9223372036854775807', '9223372036854775806', '-9223372036854775808', '0', '-1', '7'] as const
const decimals = [
  '0',
  '0.00',
  '1.5',
  '1.50',
  '-12.25',
  '99999999999999999999999999999999999999',
  '0.0000000000000000000000000000000000001',
  '-99999999999999999999999999999999999.999',
] as const
const doubles = [0, -0, 1.5, -1e308, 1e308, 5e-324, 0.1] as const
const timestamps = [
  '0001-01-01T00:00:00Z',
  '2021-05-01T12:00:00Z',
  '2021-05-01T12:00:00.000001Z',
  '2021-05-01T12:00:00.00001Z',
  '2021-05-01T12:00:00.5Z',
  '9999-12-31T23:59:59.999999Z',
] as const
const dates = ['0001-01-01', '1999-12-31', '2020-02-29', '9999-12-31'] as const

export function employees(type: ObjectType, keyCount: number): ModelledType {
  const starts = ['a', 'B', 'é', '～', '😀', '"\\', '\t']
  return modelled(type, {
    keys: Array.from({ length: keyCount }, (_, i) => `${starts[i % starts.length]}${i}`),
    makeObject: (employeeId, random) =>
      withoutNulls({
        employeeId,
        fullName: random.chance(0.8) ? `${random.pick(strings)}${random.integer(0, 99)}` : null,
        department: maybe(random, strings),
        age: random.chance(0.7) ? random.integer(-2, 5) : null,
        salary: maybe(random, decimals),
        badge: random.pick(longs),
        rating: maybe(random, doubles),
        hiredAt: maybe(random, timestamps),
        birthday: maybe(random, dates),
        active: maybe(random, [true, false]),
        notes: random.chance(0.3) ? random.pick(strings).repeat(random.integer(1, 20)) : null,
        names: random.chance(0.3) ? [{ firstName: random.pick(strings) }, { lastName: 'x' }] : null,
        tags: random.chance(0.3) ? [random.pick(strings), random.pick(strings)] : null,
        address: random.chance(0.3) ? { city: random.pick(strings), floor: random.integer(-1, 3) } : null,
      }),
  })
}

export function devices(type: ObjectType, keyCount: number): ModelledType {
  const base = 2n ** 63n - 1n
  return modelled(type, {
    keys: Array.from({ length: keyCount }, (_, i) =>
      String(i % 2 === 0 ? base - BigInt(i) : BigInt(i) - base),
    ),
    makeObject: (deviceId, random) =>
      withoutNulls({
        deviceId,
        label: maybe(random, strings),
        slot: random.integer(0, 3),
        weight: maybe(random, decimals),
        seenAt: random.pick(timestamps),
      }),
  })
}

interface Made {
  readonly keys: readonly string[]
  readonly makeObject: ModelledType['makeObject']
}

function modelled(type: ObjectType, { keys, makeObject }: Made): ModelledType {
  const [first = '', ...others] = keys
  const { definition } = type
  const singles = Object.entries(definition.properties)
    .filter(([name, property]) => property.sortable || name === definition.primaryKey)
    .map(([property]) => [{ property, direction: 'asc' as const }])
  return {
    type,
    versions: new ObjectVersions(),
    keys: [first, ...others],
    makeObject,
    // An empty order means the order of the key.
    orders: [[], ...singles, ...singles.map(reversed), ...declaredOrders(definition)],
  }
}

const reversed = (order: readonly OrderKey[]): readonly OrderKey[] =>
  order.map(({ property, direction }) => ({ property, direction: direction === 'asc' ? 'desc' : 'asc' }))

const maybe = <T>(random: Random, values: readonly [T, ...T[]]): T | null =>
  random.chance(0.75) ? random.pick(values) : null

const withoutNulls = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null))
