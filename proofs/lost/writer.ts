// Inserts, moves and deletes pairs, one commit after another, the same ones in every run. There is one writer, because then the
// order of the commits is known without asking either store.
import { randomFrom } from '../harness/random.ts'
import { keysOf, pairOf, pairs, type Employee, type State } from './employee.ts'
import type { Commit, TwoStores } from './two-stores.ts'

/** Times are at some of these seconds, so that many are equal. */
const secondsOfTimes = 100_000
const secondsBetweenTimes = 500

const begin = Date.UTC(2020, 0, 1)
const timeAt = (second: number): string => new Date(begin + (second % secondsOfTimes) * 1_000).toISOString()

export interface Writer {
  /** Everything that was sent, acknowledged or not. */
  readonly state: () => State
  readonly commits: () => number
  /** Puts the first pairs, in one commit. */
  readonly fill: () => Promise<void>
  /** Changes the state at once, and ends when both stores have acknowledged it. */
  readonly commit: () => Promise<void>
}

export function writerOf(stores: Pick<TwoStores, 'commit'>, objects: number): Writer {
  const random = randomFrom(1)
  let state: State = new Map()
  let number = 0

  const newPair = (): number => {
    const pair = random.below(pairs)
    return state.has(keysOf(pair)[0]) ? newPair() : pair
  }
  const somePair = (): number => {
    const keys = [...state.keys()]
    return pairOf(keys[random.below(keys.length)] ?? '')
  }
  /** At two random times that are as far apart as times can be, in the department of this commit. */
  const placed = (pair: number): readonly Employee[] => {
    const second = random.below(secondsOfTimes / secondsBetweenTimes) * secondsBetweenTimes
    return keysOf(pair).map((key, half) => ({
      key,
      department: `department-${number}`,
      hiredAt: timeAt(second + (half * secondsOfTimes) / 2),
    }))
  }
  const send = (change: Omit<Commit, 'number'>): Promise<void> => {
    const next = new Map(state)
    for (const key of change.deletes) next.delete(key)
    for (const employee of change.puts) next.set(employee.key, employee)
    state = next
    return stores.commit({ number, ...change })
  }
  const insertion = () => ({ puts: placed(newPair()), deletes: [] })
  const deletion = () => ({ puts: [], deletes: keysOf(somePair()) })
  const move = () => ({ puts: placed(somePair()), deletes: [] })

  return {
    state: () => state,
    commits: () => number,
    fill: () => {
      const chosen = new Set<number>()
      while (chosen.size < objects / 2) chosen.add(newPair())
      return send({ puts: [...chosen].flatMap(placed), deletes: [] })
    },
    commit: () => {
      number += 1
      if (random.next() < 0.5) return send(move())
      // The collection stays within a tenth of its size.
      const isSmall = state.size <= 0.9 * objects
      const isLarge = state.size >= 1.1 * objects
      return send(isSmall || (!isLarge && random.next() < 0.5) ? insertion() : deletion())
    },
  }
}
