// Employees come in pairs. Both of a pair are inserted, changed and deleted in one commit, and always work in the same
// department, so a walk that shows two departments of a pair, or half of it, shows what was never true.
import { sampleEmployee } from '../harness/sample-employees.ts'
import { keyOf } from '../harness/sample-employees.ts'

/** What can change of an employee, and its key. */
export interface Employee {
  readonly key: string
  /** Different for every commit. */
  readonly department: string
  /** As `Date` writes it. */
  readonly hiredAt: string
}

/** All employees at one moment, by key. */
export type State = ReadonlyMap<string, Employee>

export const orders = ['employeeId', 'hiredAt'] as const
export type Order = (typeof orders)[number]

/** The numbers of a pair are this far apart: half of all numbers that a key can have. */
const apart = 500_000_000

export const pairs = apart

const numberOf = (key: string): number => Number(key.slice(key.indexOf('-') + 1))

export const pairOf = (key: string): number => numberOf(key) % apart

export const keysOf = (pair: number): readonly [string, string] => [keyOf(pair), keyOf(pair + apart)]

export const partnerOf = (key: string): string => keyOf((numberOf(key) + apart) % (2 * apart))

/** The whole object, as it is stored. */
export const propertiesOf = ({ key, department, hiredAt }: Employee) => ({
  ...sampleEmployee(numberOf(key)),
  department,
  hiredAt,
})

/** Reads an object as any contestant returns it. */
export function employeeIn(properties: Readonly<Record<string, unknown>>): Employee {
  const { employeeId, department, hiredAt } = properties
  if (typeof employeeId !== 'string' || typeof department !== 'string' || typeof hiredAt !== 'string') {
    throw new Error(`not an employee: ${JSON.stringify(properties)}`)
  }
  return { key: employeeId, department, hiredAt: new Date(hiredAt).toISOString() }
}

/** In an order of which every contestant has the same idea: the key decides between equal times. */
export function inOrder(state: State, order: Order): readonly Employee[] {
  const placeOf = ({ key, hiredAt }: Employee) => (order === 'hiredAt' ? `${hiredAt} ${key}` : key)
  return [...state.values()].toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

export const isSame = (a: Employee | undefined, b: Employee | undefined): boolean =>
  a?.key === b?.key && a?.department === b?.department && a?.hiredAt === b?.hiredAt
