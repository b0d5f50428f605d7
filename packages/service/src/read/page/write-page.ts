// Writes the body of a page. The objects are bytes from PostgreSQL; only the envelope around them is written here.
import type { PageRows } from '../rows/page/page-rows.ts'
import { recordEnd } from '../sql/record-text.ts'

export interface PageEnvelope {
  readonly nextPageToken: string | undefined
  /** The number of matches, with a plus sign when there may be more. */
  readonly total: string | undefined
  readonly version: string
  readonly snapshotToken?: string | undefined
  readonly checksum?: string | undefined
}

/** `constants` are members that every page of an endpoint has. */
export function writePage(
  rows: PageRows,
  { nextPageToken, total, version, snapshotToken, checksum }: PageEnvelope,
  constants = '',
): Buffer {
  const end = `]${member('nextPageToken', nextPageToken)}${totalMembers(total)}${member('version', version)}${member('snapshotToken', snapshotToken)}${member('checksum', checksum)}${constants}}`
  return writeBetween(begin, rows, end)
}

/** Writes these two texts before and after the records of a page. They have no characters beyond ASCII. */
export function writeBetween(start: string, rows: PageRows, end: string): Buffer {
  if (rows.objects === 0) return Buffer.from(start + end)
  return (
    writeRound(start, rows, recordEnd(rows.shape) + end) ??
    Buffer.concat([Buffer.from(start), rows.records, Buffer.from(recordEnd(rows.shape) + end)])
  )
}

/**
 * Writes the envelope in place, into the buffer that already holds the records, so that a large page is not copied again.
 * Returns nothing if the buffer has no room.
 */
function writeRound(start: string, { giveBack, records }: PageRows, end: string): Buffer | undefined {
  if (giveBack === undefined) return undefined
  const whole = Buffer.from(records.buffer)
  const from = records.byteOffset - start.length
  const recordsEnd = records.byteOffset + records.length
  if (from < 0 || recordsEnd + end.length > whole.length) return undefined
  whole.write(start, from, 'latin1')
  whole.write(end, recordsEnd, 'latin1')
  return whole.subarray(from, recordsEnd + end.length)
}

/** The values are tokens and numbers: nothing in them needs an escape. */
export const member = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`

export const totalMembers = (total: string | undefined): string => {
  if (total === undefined) return ''
  return total.endsWith('+')
    ? `,"totalCount":"${total.slice(0, -1)}","totalCountIsLowerBound":true`
    : `,"totalCount":"${total}"`
}

const begin = '{"data":['
