import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OrderKey, PageOrder, Position } from './page-plan.ts'
import { splitIntoArms, type Arm, type Condition } from './split-into-arms.ts'

type Row = readonly (string | null)[]

const value = fc.constantFrom('a', 'b', 'c')

/** All orders that choose-order makes, and more: backward only where no later key has nulls; the last key is unique. */
const orders: fc.Arbitrary<PageOrder> = fc
  .record({
    keys: fc.array(fc.record({ direction: fc.constantFrom('asc', 'desc'), nullable: fc.boolean() }), {
      maxLength: 4,
    }),
    scan: fc.constantFrom('forward', 'backward'),
    loneDirection: fc.constantFrom('asc', 'desc'),
    keyIsLastOfSeveral: fc.boolean(),
  })
  .map(({ keys, scan, loneDirection, keyIsLastOfSeveral }) => {
    const made = keys.map((key, i): OrderKey => ({
      column: `p${i}`,
      scalar: 'string',
      ...key,
      nullable: key.nullable && (scan === 'forward' || i === 0),
    }))
    // The tie-breaker has the direction of the last key; a declared order may also reverse the primary key.
    const direction = keyIsLastOfSeveral ? loneDirection : (made.at(-1)?.direction ?? loneDirection)
    return { keys: [...made, { column: 'pk', scalar: 'string', direction, nullable: false }], scan }
  })

const rowFor = ({ keys }: PageOrder, pk: fc.Arbitrary<string>): fc.Arbitrary<Row> =>
  fc.tuple(...keys.map((key) => (key.column === 'pk' ? pk : key.nullable ? fc.option(value) : value)))

const cases = orders.chain((order) =>
  fc.record({
    order: fc.constant(order),
    rows: fc.uniqueArray(rowFor(order, fc.integer({ min: 100, max: 140 }).map(String)), {
      selector: (row) => row.at(-1),
      maxLength: 40,
    }),
    // The position may also be that of an object that no longer exists.
    position: fc.option(rowFor(order, fc.integer({ min: 99, max: 141 }).map(String)), { nil: undefined }),
  }),
)

const compare = (order: PageOrder, nulls: 'first' | 'last') => (a: Row, b: Row) => {
  for (const [i, { direction }] of order.keys.entries()) {
    const [x, y] = [a[i] ?? null, b[i] ?? null]
    if (x === y) continue
    if (x === null || y === null) return (x === null) === (nulls === 'last') ? 1 : -1
    return x < y === (direction === 'asc') ? -1 : 1
  }
  return 0
}

/** Evaluates a condition as PostgreSQL does: a comparison with null is not true. */
function holds(condition: Condition, row: Row, { keys }: PageOrder): boolean {
  const at = (key: OrderKey) => row[keys.indexOf(key)] ?? null
  switch (condition.kind) {
    case 'equal':
      return at(condition.key) === condition.value
    case 'null':
      return at(condition.key) === null
    case 'not-null':
      return at(condition.key) !== null
    case 'beyond': {
      const [direction] = condition.keys.map((key) => key.direction)
      for (const [i, key] of condition.keys.entries()) {
        const [x, y] = [at(key), condition.values[i] ?? '']
        if (x === null) return false
        if (x !== y) return x > y === (direction === 'asc')
      }
      return false
    }
    default:
      return condition satisfies never
  }
}

const readArm = (arm: Arm, rows: readonly Row[], order: PageOrder): readonly Row[] =>
  rows
    .filter((row) => arm.conditions.every((condition) => holds(condition, row, order)))
    // The order in which the index is read: nulls last, or first when it is read from its end.
    .toSorted(compare(order, order.scan === 'forward' ? 'last' : 'first'))

it('the arms, one after the other, are exactly the rows after the position, in order', () => {
  fc.assert(
    fc.property(cases, ({ order, rows, position }) => {
      const sorted = rows.toSorted(compare(order, 'last'))
      const expected =
        position === undefined ? sorted : sorted.filter((row) => compare(order, 'last')(row, position) > 0)
      const read = splitIntoArms(order, position).flatMap((arm) => readArm(arm, rows, order))
      expect(read).toEqual(expected)
    }),
    { numRuns: 20_000 },
  )
})

it('walking from page to page, of any sizes, meets every row once', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: 5 }), ({ order, rows }, pageSize) => {
      const walked: Row[] = []
      let position: Position | undefined
      for (;;) {
        const page = splitIntoArms(order, position)
          .flatMap((arm) => readArm(arm, rows, order))
          .slice(0, pageSize)
        walked.push(...page)
        position = page.at(-1)
        if (position === undefined) break
      }
      expect(walked).toEqual(rows.toSorted(compare(order, 'last')))
    }),
    { numRuns: 2_000 },
  )
})

it('every arm is one range of the index: equal keys first, then at most one condition of another kind', () => {
  fc.assert(
    fc.property(cases, ({ order, position }) => {
      for (const { conditions } of splitIntoArms(order, position)) {
        const columns = conditions.flatMap((condition) =>
          condition.kind === 'beyond' ? condition.keys.map((key) => key.column) : [condition.key.column],
        )
        expect(columns).toEqual(order.keys.slice(0, columns.length).map((key) => key.column))
        const ranges = conditions.filter(({ kind }) => kind === 'beyond' || kind === 'not-null')
        expect(ranges.length).toBeLessThanOrEqual(1)
        expect(ranges.every((range) => range === conditions.at(-1))).toBe(true)
        for (const range of ranges) {
          const directions = range.kind === 'beyond' ? range.keys.map((key) => key.direction) : ['asc']
          expect(new Set(directions).size).toBe(1)
        }
      }
    }),
  )
})

it('the arms of a declared order are those of the worked example', () => {
  const a: OrderKey = { column: 'p2', scalar: 'string', direction: 'asc', nullable: true }
  const b: OrderKey = { column: 'p3', scalar: 'integer', direction: 'desc', nullable: true }
  const pk: OrderKey = { column: 'pk', scalar: 'string', direction: 'desc', nullable: false }
  const order: PageOrder = { keys: [a, b, pk], scan: 'forward' }
  expect(splitIntoArms(order, ['Sales', '40', 'e7'])).toEqual([
    {
      conditions: [
        { kind: 'equal', key: a, value: 'Sales' },
        { kind: 'beyond', keys: [b, pk], values: ['40', 'e7'] },
      ],
    },
    {
      conditions: [
        { kind: 'equal', key: a, value: 'Sales' },
        { kind: 'null', key: b },
      ],
    },
    { conditions: [{ kind: 'beyond', keys: [a], values: ['Sales'] }] },
    { conditions: [{ kind: 'null', key: a }] },
  ])
  expect(splitIntoArms(order, ['Sales', null, 'e7'])).toEqual([
    {
      conditions: [
        { kind: 'equal', key: a, value: 'Sales' },
        { kind: 'null', key: b },
        { kind: 'beyond', keys: [pk], values: ['e7'] },
      ],
    },
    { conditions: [{ kind: 'beyond', keys: [a], values: ['Sales'] }] },
    { conditions: [{ kind: 'null', key: a }] },
  ])
  expect(splitIntoArms(order, [null, null, 'e7'])).toEqual([
    {
      conditions: [
        { kind: 'null', key: a },
        { kind: 'null', key: b },
        { kind: 'beyond', keys: [pk], values: ['e7'] },
      ],
    },
  ])
})

it('a position that belongs to another order is not used', () => {
  expect(() => splitIntoArms({ keys: [], scan: 'forward' }, ['x'])).toThrow('position-of-another-order')
})
