import { describe, expect, it } from 'vitest'
import { inOrder, keysOf, type Employee, type State } from './employee.ts'
import { judgeWalk } from './judge-walk.ts'

const time = (second: number): string => new Date(Date.UTC(2020, 0, 1, 0, 0, second)).toISOString()

/** Both of a pair, half a minute apart. */
const pair = (number: number, commit: number, second = number): readonly [Employee, Employee] => {
  const [low, high] = keysOf(number)
  const department = `department-${commit}`
  return [
    { key: low, department, hiredAt: time(second) },
    { key: high, department, hiredAt: time((second + 30) % 60) },
  ]
}

const stateOf = (...employees: readonly Employee[]): State =>
  new Map(employees.map((employee) => [employee.key, employee]))

const [one, two, three] = [pair(1, 0), pair(2, 0), pair(3, 0)]
const before = stateOf(...one, ...two, ...three)
const clean = { missed: [], repeated: [], untouched: [], torn: [], isOneState: true }

describe('a walk while nothing changes', () => {
  it.each(['employeeId', 'hiredAt'] as const)('is clean if it returns the state in the order %s', (order) => {
    expect(judgeWalk({ order, shown: inOrder(before, order), states: [before] })).toEqual(clean)
  })

  it('is not one state in another order', () => {
    const shown = inOrder(before, 'employeeId').toReversed()
    expect(judgeWalk({ order: 'employeeId', shown, states: [before] })).toEqual({
      ...clean,
      isOneState: false,
    })
  })

  it('misses what it does not return', () => {
    const shown = inOrder(before, 'employeeId').filter(({ key }) => key !== two[0].key)
    expect(judgeWalk({ order: 'employeeId', shown, states: [before] })).toEqual({
      missed: [two[0].key],
      repeated: [],
      untouched: [two[0].key],
      torn: [],
      isOneState: false,
    })
  })

  it('repeats what it returns twice', () => {
    const shown = [...inOrder(before, 'employeeId'), three[1]]
    expect(judgeWalk({ order: 'employeeId', shown, states: [before] })).toEqual({
      missed: [],
      repeated: [three[1].key],
      untouched: [three[1].key],
      torn: [],
      isOneState: false,
    })
  })

  it('is refused if it shows what nobody wrote', () => {
    const shown = inOrder(stateOf(...pair(1, 7)), 'employeeId')
    expect(() => judgeWalk({ order: 'employeeId', shown, states: [before] })).toThrow('nobody wrote')
  })
})

describe('a walk while a pair changes', () => {
  const changed = pair(2, 1, 50)
  const after = stateOf(...one, ...changed, ...three)
  const states = [before, after]
  const walk = (...shown: readonly Employee[]) => judgeWalk({ order: 'employeeId', shown, states })

  it.each(states.map((state, number) => ({ state, number })))(
    'is clean if it shows state $number alone',
    ({ state }) => {
      expect(walk(...inOrder(state, 'employeeId'))).toEqual(clean)
    },
  )

  it('is torn if it shows one half as it was and the other as it is', () => {
    const shown = [one[0], two[0], three[0], one[1], changed[1], three[1]]
    expect(walk(...shown)).toEqual({ ...clean, torn: [2], isOneState: false })
  })

  it('misses a half that moved away from it, and is not called torn for that too', () => {
    const shown = [one[0], three[0], one[1], changed[1], three[1]]
    expect(walk(...shown)).toEqual({ ...clean, missed: [two[0].key], isOneState: false })
  })

  it('tells an object that nobody touched from one that moved', () => {
    const shown = [one[0], one[1], changed[1], three[1], three[1]]
    expect(walk(...shown)).toEqual({
      missed: [two[0].key, three[0].key],
      repeated: [three[1].key],
      untouched: [three[0].key, three[1].key],
      torn: [],
      isOneState: false,
    })
  })

  it('repeats a half that moved ahead of it, and is torn if it shows both states of it', () => {
    const shown = [one[0], two[0], three[0], one[1], two[1], three[1], changed[0]]
    expect(walk(...shown)).toEqual({ ...clean, repeated: [two[0].key], torn: [2], isOneState: false })
  })
})

describe('a walk while a pair comes or goes', () => {
  const without = stateOf(...one, ...three)
  const all = inOrder(before, 'employeeId')

  it.each([
    { change: 'deleted', states: [before, without] },
    { change: 'inserted', states: [without, before] },
  ])('a pair that is $change meanwhile may be there or not, but not by half', ({ states }) => {
    const walk = (shown: readonly Employee[]) => judgeWalk({ order: 'employeeId', shown, states })
    expect(walk(all)).toEqual(clean)
    expect(walk(inOrder(without, 'employeeId'))).toEqual(clean)
    const half = all.filter(({ key }) => key !== two[1].key)
    expect(walk(half)).toEqual({ ...clean, torn: [2], isOneState: false })
  })

  it('two commits of which only the later is shown are no state', () => {
    const inserted = stateOf(...before.values(), ...pair(4, 1))
    const states = [before, inserted, stateOf(...inserted.values(), ...pair(5, 2))]
    const shown = inOrder(stateOf(...before.values(), ...pair(5, 2)), 'employeeId')
    expect(judgeWalk({ order: 'employeeId', shown, states })).toEqual({ ...clean, isOneState: false })
  })
})
