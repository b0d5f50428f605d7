// A record that was not loaded, and why.
import { oneLine } from '../output/text-width.ts'

export interface Rejection {
  /** The line in the input. */
  readonly line: number
  readonly property?: string
  readonly value?: unknown
  /** The rule that the record breaks: `must be ...`. */
  readonly rule: string
  /** The record as it is in the input. */
  readonly raw: Buffer
  /** Only the beginning of the record is known, because it is too long. */
  readonly isCut?: true
}

/** The rejection as a line of the file of reasons. */
export const rejectionLine = ({ line, property, value, rule, raw }: Rejection): string =>
  `${JSON.stringify({ line, property, value, rule, record: raw.toString('utf8') })}\n`

const mostShown = 60

/** The rejection as a sentence: `flights.csv, line 17: age must be a JSON integer; it is "old".` */
export function rejectionText(
  file: string,
  { line, property, value, rule }: Omit<Rejection, 'raw' | 'isCut'>,
): string {
  const shown = value === undefined ? '' : oneLine(JSON.stringify(value))
  const found = shown.length > mostShown ? `${shown.slice(0, mostShown)}…` : shown
  return `${file}, line ${line}: ${property ?? 'the record'} ${rule}${found === '' ? '' : `; it is ${found}`}.`
}
