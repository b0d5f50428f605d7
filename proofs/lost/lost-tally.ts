import { orders, type Order } from './employee.ts'
import type { JudgedWalk } from './walk-together.ts'

export interface LostTally {
  readonly contestant: string
  readonly order: Order
  readonly walks: number
  readonly commits: number
  /** Objects, of all walks. */
  readonly missed: number
  readonly repeated: number
  /** Of both, those that nobody touched during the walk. */
  readonly untouched: number
  /** Pairs, of all walks. */
  readonly torn: number
  /** Walks that returned exactly one state. */
  readonly oneState: number
}

type Counted = Omit<LostTally, 'contestant' | 'order'>

const nothing: Counted = {
  walks: 0,
  commits: 0,
  missed: 0,
  repeated: 0,
  untouched: 0,
  torn: 0,
  oneState: 0,
}

/** By order, and within an order as the contestants come. */
export function tallyOf(walks: readonly JudgedWalk[]): readonly LostTally[] {
  const byName = Map.groupBy(walks, ({ order, contestant }) => JSON.stringify([order, contestant]))
  return [...byName.values()]
    .flatMap((some) => {
      const [first] = some
      return first === undefined
        ? []
        : [{ contestant: first.contestant, order: first.order, ...some.reduce(added, nothing) }]
    })
    .toSorted((a, b) => orders.indexOf(a.order) - orders.indexOf(b.order))
}

const added = (sum: Counted, walk: JudgedWalk): Counted => ({
  walks: sum.walks + 1,
  commits: sum.commits + walk.commits,
  missed: sum.missed + walk.missed.length,
  repeated: sum.repeated + walk.repeated.length,
  untouched: sum.untouched + walk.untouched.length,
  torn: sum.torn + walk.torn.length,
  oneState: sum.oneState + (walk.isOneState ? 1 : 0),
})

/** What would be counted of a thousand walks. */
export const perThousand = ({ walks }: Pick<LostTally, 'walks'>, count: number): number =>
  Math.round((count * 1_000) / walks)

export const describeTally = (tally: LostTally): string => {
  const { contestant, order, walks, commits, missed, repeated, untouched, torn, oneState } = tally
  return `${contestant}, in the order ${order}: ${walks} walks with ${commits} commits, ${missed} objects missed, ${repeated} repeated (${untouched} of both untouched), ${torn} pairs torn; ${oneState} walks show one state`
}
