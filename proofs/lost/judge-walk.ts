import { inOrder, isSame, pairOf, partnerOf, type Employee, type Order, type State } from './employee.ts'

export interface FinishedWalk {
  readonly order: Order
  /** Everything that its pages returned, one page after another. */
  readonly shown: readonly Employee[]
  /**
   * Every state that a page can have shown, oldest first: from the last commit acknowledged before the first request to the last
   * one sent before the last answer.
   */
  readonly states: readonly State[]
}

export interface Judgement {
  /** Keys that were there in every state, and were not returned. */
  readonly missed: readonly string[]
  /** Keys that were returned more than once. */
  readonly repeated: readonly string[]
  /** Those of both that were the same in every state: nobody touched them. */
  readonly untouched: readonly string[]
  /** Pairs shown as they never were: in two departments, or one without the other. */
  readonly torn: readonly number[]
  /** Whether the walk returned exactly one of the states, in its order. */
  readonly isOneState: boolean
}

export function judgeWalk({ order, shown, states }: FinishedWalk): Judgement {
  const timesShown = new Map<string, number>()
  const departmentsShown = new Map<number, Set<string>>()
  for (const employee of shown) {
    const { key, department } = employee
    // Then either the contestant or this judge is wrong about something else, and no count would mean anything.
    if (!states.some((state) => isSame(state.get(key), employee))) {
      throw new Error(`a walk shows what nobody wrote meanwhile: ${JSON.stringify(employee)}`)
    }
    timesShown.set(key, (timesShown.get(key) ?? 0) + 1)
    const departments = departmentsShown.get(pairOf(key)) ?? new Set()
    departmentsShown.set(pairOf(key), departments.add(department))
  }
  const isThroughout = (key: string) => states.every((state) => state.has(key))
  // A half that was there throughout is counted as missed, and not once more as torn.
  const isHalf = (key: string) => !timesShown.has(partnerOf(key)) && !isThroughout(partnerOf(key))
  const halves = [...timesShown.keys()].filter(isHalf).map(pairOf)
  const changed = [...departmentsShown]
    .filter(([, departments]) => departments.size > 1)
    .map(([pair]) => pair)
  const missed = [...(states[0]?.keys() ?? [])].filter((key) => !timesShown.has(key) && isThroughout(key))
  const repeated = [...timesShown].filter(([, times]) => times > 1).map(([key]) => key)
  const isUntouched = (key: string) => states.every((state) => isSame(state.get(key), states[0]?.get(key)))
  return {
    missed,
    repeated,
    untouched: [...missed, ...repeated].filter(isUntouched),
    torn: [...new Set([...halves, ...changed])],
    isOneState: states.some((state) => isExactly(shown, inOrder(state, order))),
  }
}

const isExactly = (shown: readonly Employee[], expected: readonly Employee[]): boolean =>
  shown.length === expected.length && expected.every((employee, i) => isSame(employee, shown[i]))
