// Reads the primary key from the head of a record. In the order of the key it is the whole position of an object, so rows need
// no column for it, which would take PostgreSQL an eighth of its time for a page.
import type { PageOrder } from '../plan/page-order.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { recordStart } from './record-text.ts'

export const isKeyOrder = ({ keys }: PageOrder): boolean => keys.length === 1

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

/** The key as text that PostgreSQL accepts; a timestamp has the format of the wire. */
export function keyInRecord(
  { record: shape, type }: Pick<PagePlan, 'record' | 'type'>,
  record: Buffer,
): string {
  const start = Buffer.byteLength(recordStart(shape, type))
  if (shape === '1.0') {
    return Buffer.from(record.toString('latin1', start, record.indexOf(quote, start)), 'hex').toString()
  }
  if (record[start] !== quote) return record.toString('latin1', start, record.indexOf(comma, start))
  let end = start + 1
  while (record[end] !== quote) end += record[end] === backslash ? 2 : 1
  return JSON.parse(record.toString('utf8', start, end + 1)) as string
}
