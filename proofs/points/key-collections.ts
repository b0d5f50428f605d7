// Collections whose keys are of every type, and lie as keys do: in order, at random, in clusters, or most of them at one end.
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { Random } from '../harness/random.ts'

export const keyTypes = ['string', 'integer', 'long', 'date', 'timestamp'] as const
export type KeyType = (typeof keyTypes)[number]

export const layouts = ['in order', 'random', 'clustered', 'skewed'] as const
export type Layout = (typeof layouts)[number]

export const keyedType = (apiName: string, type: KeyType): ObjectTypeDefinition => ({
  apiName,
  displayName: apiName,
  primaryKey: 'key',
  titleProperty: 'key',
  properties: { key: { type }, edition: { type: 'integer' } },
})

/** Of a number, so that the keys of different numbers are different. */
const keyOf: Readonly<Record<KeyType, (number: number) => string | number>> = {
  // Of different lengths, so that their order is not that of the numbers.
  string: (number) => `${'ü'.repeat(number % 2)}${number.toString(36)}`,
  integer: (number) => number,
  long: (number) => String(BigInt(number) * 4_000_000_007n - 2n ** 62n),
  date: (number) => new Date(Date.UTC(1, 0, 1) + number * 86_400_000).toISOString().slice(0, 10),
  timestamp: (number) => new Date(number * 61_000).toISOString().replace('.000Z', 'Z'),
}

/** Days between the years 1901 and 9999, and so few that every type has a key for each. */
const numbers = 2_900_000

export interface DrawnKeys {
  /** In the order in which they are stored. */
  readonly keys: readonly (string | number)[]
  /** A key that is not among them. */
  readonly another: () => string | number
}

export function drawKeys(
  type: KeyType,
  layout: Layout,
  { count, random }: { readonly count: number; readonly random: Random },
): DrawnKeys {
  const drawn = new Set<number>()
  const draw = (place: () => number): number => {
    for (;;) {
      const number = place()
      if (drawn.has(number)) continue
      drawn.add(number)
      return number
    }
  }
  const anywhere = () => random.below(numbers)
  const places: Readonly<Record<Layout, (i: number) => () => number>> = {
    'in order': (i) => () => Math.floor((i * numbers) / Math.max(1, count)),
    random: () => anywhere,
    clustered: () => anywhere,
    skewed: () => () => Math.floor(numbers * random.next() ** 8),
  }
  const list: number[] = []
  while (list.length < count) {
    if (layout !== 'clustered') {
      list.push(draw(places[layout](list.length)))
      continue
    }
    // Stored run by run: neighbours in the table are neighbours in the order, and the runs are anywhere.
    const start = anywhere()
    for (let i = 0; i < 400 && list.length < count; i += 1) {
      const number = (start + i) % numbers
      if (drawn.has(number)) break
      drawn.add(number)
      list.push(number)
    }
  }
  return { keys: list.map(keyOf[type]), another: () => keyOf[type](draw(anywhere)) }
}

/** Whether the key of the second comes after that of the first, both as texts of the wire. */
export function isAfter(type: KeyType, before: string, after: string): boolean {
  if (type === 'integer' || type === 'long') return BigInt(after) > BigInt(before)
  return Buffer.compare(Buffer.from(after), Buffer.from(before)) > 0
}
