// A type under load: its model, the keys that writers choose from, and the objects they put.
import {
  declaredOrders,
  generateProperties,
  ObjectVersions,
  type OrderKey,
  type Properties,
  type Random,
} from '@octavo/model'
import type { ObjectType } from '../../../src/catalog/object-type.ts'

export interface ModelledType {
  readonly type: ObjectType
  readonly versions: ObjectVersions<Properties>
  readonly keys: readonly [string, ...string[]]
  readonly makeObject: (key: string, random: Random) => Properties
  readonly orders: readonly [readonly OrderKey[], ...(readonly OrderKey[])[]]
}

export function employees(type: ObjectType, keyCount: number): ModelledType {
  // UTF-16 order is not code point order.
  const starts = ['a', 'B', 'é', '～', '😀', '"\\', '\t']
  return modelled(
    type,
    Array.from({ length: keyCount }, (_, i) => `${starts[i % starts.length]}${i}`),
  )
}

export function devices(type: ObjectType, keyCount: number): ModelledType {
  const base = 2n ** 63n - 1n
  return modelled(
    type,
    Array.from({ length: keyCount }, (_, i) => String(i % 2 === 0 ? base - BigInt(i) : BigInt(i) - base)),
  )
}

function modelled(type: ObjectType, [first = '', ...others]: readonly string[]): ModelledType {
  const { definition } = type
  const { primaryKey } = definition
  const singles = Object.entries(definition.properties)
    .filter(([name, property]) => property.sortable || name === primaryKey)
    .map(([property]) => [{ property, direction: 'asc' as const }])
  return {
    type,
    versions: new ObjectVersions(),
    keys: [first, ...others],
    makeObject: (key, random) => ({
      [primaryKey]: key,
      ...generateProperties(random, definition, { without: [primaryKey], huge: false }),
    }),
    // An empty order means the order of the key.
    orders: [[], ...singles, ...singles.map(reversed), ...declaredOrders(definition)],
  }
}

const reversed = (order: readonly OrderKey[]): readonly OrderKey[] =>
  order.map(({ property, direction }) => ({ property, direction: direction === 'asc' ? 'desc' : 'asc' }))
