// A page is what comes after a position in an order. Written as one condition (a > x or a = x and b > y or ...), no index can
// find it. Split into arms, it is a few ranges of one index, one after the other. See README.md in this folder.
import { invariant } from '../../base/errors/invariant.ts'
import type { OrderKey, PageOrder, Position } from './page-plan.ts'

/** One range of an index: the first keys are equal to those of the position, the next ones are beyond it. */
export interface Arm {
  readonly conditions: readonly Condition[]
}

export type Condition =
  | { readonly kind: 'equal'; readonly key: OrderKey; readonly value: string }
  | { readonly kind: 'null'; readonly key: OrderKey }
  | { readonly kind: 'not-null'; readonly key: OrderKey }
  /** The keys are compared together, as one row value. They all have the same direction. */
  | { readonly kind: 'beyond'; readonly keys: readonly OrderKey[]; readonly values: readonly string[] }

export function splitIntoArms(order: PageOrder, position: Position | undefined): readonly Arm[] {
  return position === undefined ? firstArms(order) : armsAfter(order, position)
}

function firstArms({ keys, scan }: PageOrder): readonly Arm[] {
  const [first] = keys
  // The index keeps nulls last. Read backward they would come first, so they get an arm of their own, after the values.
  if (scan === 'backward' && first?.nullable) {
    return [
      { conditions: [{ kind: 'not-null', key: first }] },
      { conditions: [{ kind: 'null', key: first }] },
    ]
  }
  return [{ conditions: [] }]
}

function armsAfter({ keys }: PageOrder, position: Position): readonly Arm[] {
  invariant(keys.length === position.length, 'position-of-another-order')
  const arms: Arm[] = []
  // From the longest equal prefix to the shortest: this is the order in which the arms follow each other.
  for (let i = keys.length - 1; i >= 0; i -= 1) {
    const key = keys[i]
    const value = position[i]
    invariant(key !== undefined && value !== undefined, 'position-shorter-than-order')
    const equal = keys.slice(0, i).map((earlier, j) => equalTo(earlier, position[j] ?? null))
    // No value comes after a null, since nulls are last.
    if (value === null) continue
    const before = keys[i - 1]
    const beforeValue = position[i - 1]
    if (i === keys.length - 1 && before?.direction === key.direction && typeof beforeValue === 'string') {
      // (a = x and k > y) followed by (a > x) is (a, k) > (x, y): one range instead of two.
      arms.push({
        conditions: [
          ...equal.slice(0, -1),
          { kind: 'beyond', keys: [before, key], values: [beforeValue, value] },
        ],
      })
      // This arm has covered the earlier key too, except its nulls.
      i -= 1
      if (before.nullable) arms.push({ conditions: [...equal.slice(0, -1), { kind: 'null', key: before }] })
      continue
    }
    arms.push({ conditions: [...equal, { kind: 'beyond', keys: [key], values: [value] }] })
    if (key.nullable) arms.push({ conditions: [...equal, { kind: 'null', key }] })
  }
  return arms
}

const equalTo = (key: OrderKey, value: string | null): Condition =>
  value === null ? { kind: 'null', key } : { kind: 'equal', key, value }
