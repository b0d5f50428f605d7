// Orders, each with its comparison: nulls last, texts by code point, and the primary key in the direction of the last key.
import type { Chance } from '../chances.ts'
import type { Thing } from './state.ts'

export type Compare = (a: Thing, b: Thing) => number

export const byText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

type Value = string | number | null | undefined

function byValue<V extends Value>(
  of: (thing: Thing) => V,
  compare: (a: NonNullable<V>, b: NonNullable<V>) => number,
): Compare {
  return (one, other) => {
    const [a, b] = [of(one), of(other)]
    if (a == null || b == null) return Number(a == null) - Number(b == null)
    return compare(a, b)
  }
}

export const first =
  (...compares: readonly Compare[]): Compare =>
  (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b)
      if (order !== 0) return order
    }
    return 0
  }

export const byId: Compare = (a, b) => byText(a.id, b.id)
const byIdDown: Compare = (a, b) => byText(b.id, a.id)
export const byN = byValue(
  ({ n }) => n,
  (a, b) => a - b,
)
const byNDown = byValue(
  ({ n }) => n,
  (a, b) => b - a,
)
const byCat = byValue(({ cat }) => cat, byText)
const byCatDown = byValue(
  ({ cat }) => cat,
  (a, b) => byText(b, a),
)
const byPrice = byValue(
  ({ price }) => price,
  (a, b) => Number(a) - Number(b),
)

export interface Order {
  readonly fields: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly compare: Compare
}

const order = (text: string, ...compares: readonly Compare[]): Order => ({
  fields: text.split(', ').map((key) => {
    const [field = '', direction] = key.split(' ')
    return { field, direction: direction === 'desc' ? 'desc' : 'asc' }
  }),
  compare: first(...compares),
})

const orders = [
  order('id desc', byIdDown),
  order('n asc', byN, byId),
  order('n desc', byNDown, byIdDown),
  order('cat asc', byCat, byId),
  order('cat desc', byCatDown, byIdDown),
  order('cat asc, n desc', byCat, byNDown, byIdDown),
  order('price asc', byPrice, byId),
] as const

/** Or none. */
export const orderByChance = ({ below }: Chance): Order | undefined => orders[below(orders.length + 1)]

export const byNDescending = orders[2].compare
export const byCatAscending = orders[3].compare
