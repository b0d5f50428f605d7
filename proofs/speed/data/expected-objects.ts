// What a page must contain, computed from the numbers of its objects alone.
import { isDeepStrictEqual } from 'node:util'
import { keyOf, sampleEmployee } from '../../harness/sample-employees.ts'

export type Mode = 'latest' | 'snapshot'

/** A tenth of the objects, spread over the collection and over every digit. */
export const isChanged = (number: number): boolean => number % 10 === Math.floor(number / 10) % 10

export const expectedObject = (number: number, mode: Mode) =>
  sampleEmployee(number, mode === 'latest' && isChanged(number) ? 1 : 0)

type Properties = Readonly<Record<string, unknown>>

/** Services write times and nulls differently; this makes equal values comparable. */
const comparable = ({ hiredAt, age = null, ...rest }: Properties): Properties => ({
  ...rest,
  age,
  hiredAt: new Date(String(hiredAt)).getTime(),
})

export interface ExpectedPage {
  /** The number of the object before the page. */
  readonly after: number
  readonly pageSize: number
  readonly mode: Mode
}

/** Throws unless the objects are exactly those of the page, in order. */
export function checkObjects(found: readonly Properties[], { after, pageSize, mode }: ExpectedPage): void {
  if (found.length !== pageSize) throw new Error(`${found.length} objects instead of ${pageSize}`)
  for (const [i, properties] of found.entries()) {
    const expected = expectedObject(after + 1 + i, mode)
    if (!isDeepStrictEqual(comparable(properties), comparable(expected))) {
      throw new Error(
        `object ${i} after ${keyOf(after)} is ${JSON.stringify(properties)}, not ${JSON.stringify(expected)}`,
      )
    }
  }
}
