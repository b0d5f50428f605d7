// All contestants walk at the same time, in step, so that all of them have the same commits between their pages, however fast each
// is and however busy the machine.
import type { LostContestant, ShownPage } from './contestants.ts'
import { orders, type Employee, type Order, type State } from './employee.ts'
import { judgeWalk, type Judgement } from './judge-walk.ts'
import type { Writer } from './writer.ts'

export interface JudgedWalk extends Judgement {
  readonly contestant: string
  readonly order: Order
  /** How many commits were sent before its last page arrived. */
  readonly commits: number
}

export interface RoundOptions {
  readonly contestants: readonly LostContestant[]
  readonly pageSize: number
  readonly writer: Writer
  /** Whether a commit is sent with every page; otherwise nobody writes. */
  readonly withCommits: boolean
}

/** One walk of each contestant in each order. */
export async function walkTogether(options: RoundOptions): Promise<readonly JudgedWalk[]> {
  const { contestants, pageSize, writer, withCommits } = options
  // Nothing is under way now, so the first request of every walk sees this state or a later one.
  const states: State[] = [writer.state()]
  const walks = contestants.flatMap((contestant) =>
    orders.map((order) => openWalk(contestant, { order, pageSize, states })),
  )
  const commit = (): Promise<void> => {
    const acknowledged = writer.commit()
    states.push(writer.state())
    return acknowledged
  }
  for (let open = walks; open.length > 0; open = open.filter((walk) => !walk.hasEnded())) {
    const pages = open.map((walk) => walk.readPage())
    await Promise.all([...pages, ...(withCommits ? [commit()] : [])])
  }
  return walks.map((walk) => walk.judgement())
}

interface WalkOptions {
  readonly order: Order
  readonly pageSize: number
  /** Grows during the walk. */
  readonly states: readonly State[]
}

/** More pages than any right walk has. */
const mostPages = 1_000

function openWalk({ name, readPage }: LostContestant, { order, pageSize, states }: WalkOptions) {
  const shown: Employee[] = []
  let pages = 0
  let last: ShownPage | undefined
  let seen: readonly State[] = []
  const hasEnded = () => last !== undefined && last.next === undefined
  return {
    hasEnded,
    readPage: async (): Promise<void> => {
      last = await readPage({ order, pageSize, cursor: last?.next })
      seen = [...states]
      shown.push(...last.employees)
      pages += 1
      if (pages > mostPages) throw new Error(`${name}: a walk in the order ${order} does not end.`)
    },
    judgement: (): JudgedWalk => ({
      ...judgeWalk({ order, shown, states: seen }),
      contestant: name,
      order,
      commits: seen.length - 1,
    }),
  }
}
