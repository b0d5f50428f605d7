// Objects and changes by chance. Few keys and few values, so that much is equal and much meets.
import type { Chance } from '../chances.ts'
import type { TypeName } from './history.ts'
import type { Change, Thing } from './state.ts'

export const cats = ['a', 'b', 'c', '\u{1F600}', '\uFFFD', 'Z', 'é', '']
export const words = ['red', 'Green', 'blue', 'white', 'black', 'gold']
export const tags = ['t1', 't2', 't3', '\u{1F4A9}']
const groups = ['g1', 'g2', 'g3']
const keyCount = 400

const keyOf = (number: number): string => `k${String(number).padStart(3, '0')}`
export const allKeys = Array.from({ length: keyCount }, (_, number) => keyOf(number))

export interface Things {
  readonly key: () => string
  readonly changes: (type: TypeName) => readonly Change[]
  /** Puts of many objects, each once. */
  readonly many: () => readonly Change[]
}

/** True in so many of ten cases. */
export const often = ({ below }: Chance, ofTen: number): boolean => below(10) < ofTen

export function thingsByChance(chance: Chance): Things {
  const { below, one } = chance
  const key = (): string => keyOf(below(keyCount))
  const ownerKey = (): string => `o${below(20)}`
  const some = <Item>(limit: number, items: readonly Item[]): readonly Item[] =>
    Array.from({ length: below(limit) + 1 }, () => one(items))
  const thing = (id = key()): Thing => ({
    id,
    ...(often(chance, 9) && { n: below(40) - 20 }),
    ...(often(chance, 9) && { cat: one(cats) }),
    ...(often(chance, 7) && { tags: some(3, tags) }),
    ...(often(chance, 7) && { note: some(4, words).join(one([' ', '-', ', '])) }),
    ...(often(chance, 7) && { price: `${below(9)}.${below(9)}` }),
    ...(often(chance, 8) && { ownerId: ownerKey() }),
    ...(often(chance, 8) && { depts: some(2, groups) }),
    ...(often(chance, 3) && { big: 'x'.repeat(below(600)) }),
    stamp: below(1e9),
  })
  /** Some properties get other values, and some none. */
  const part = (): Thing => {
    const { id, ...values } = thing()
    const kept = Object.entries(values).filter(([name]) => name !== 'big' && often(chance, 3))
    return { id, ...Object.fromEntries(kept.map(([name, value]) => [name, often(chance, 2) ? null : value])) }
  }
  const ownerChange = (): Change => {
    const chosen = below(10)
    if (chosen < 6)
      return {
        type: 'put',
        properties: { id: ownerKey(), name: one(words), level: below(5), stamp: below(1e9) },
      }
    if (chosen < 8)
      return { type: 'merge', properties: { id: ownerKey(), level: often(chance, 2) ? null : below(5) } }
    return { type: 'delete', primaryKey: ownerKey() }
  }
  const change = (): Change => {
    const chosen = below(4)
    if (chosen < 2) return { type: 'put', properties: thing() }
    if (chosen < 3) return { type: 'merge', properties: part() }
    return { type: 'delete', primaryKey: key() }
  }
  return {
    key,
    changes: (type) =>
      Array.from({ length: 1 + below(often(chance, 1) ? 120 : 12) }, type === 'owner' ? ownerChange : change),
    many: () =>
      [...new Set(Array.from({ length: below(300) + 20 }, key))].map((id) => ({
        type: 'put',
        properties: thing(id),
      })),
  }
}
