// A record that was not loaded, and why.
import { oneLine } from '../output/text-width.ts'

export interface Rejection {
  /** The line in the input. */
  readonly line: number
  readonly property?: string
  readonly value?: unknown
  /** What the service or a reader says of it: `must be ...`. */
  readonly problem: string
  /** The record as it is in the input. */
  readonly raw: Buffer
  /** Only the beginning of the record is known, because it is too long. */
  readonly isCut?: true
}

/** The rejection as a line of the file of reasons. */
export const rejectionLine = ({ line, property, value, problem, raw }: Rejection): string =>
  `${JSON.stringify({ line, property, value, problem, record: raw.toString('utf8') })}\n`

const mostShown = 60

/** The rejection as a sentence: `flights.csv, line 17: age must be a JSON integer; it is "old".` */
export function rejectionText(
  file: string,
  { line, property, value, problem }: Omit<Rejection, 'raw' | 'isCut'>,
): string {
  const shown = value === undefined ? '' : oneLine(JSON.stringify(value))
  const found = shown.length > mostShown ? `${shown.slice(0, mostShown)}…` : shown
  return `${file}, line ${line}: ${property ?? 'the record'} ${problem}${found === '' ? '' : `; it is ${found}`}.`
}
