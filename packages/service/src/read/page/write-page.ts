// Writes the body of a page. The objects are bytes from PostgreSQL; only the envelope around them is written here.
import type { PageRows } from '../rows/page-rows.ts'
import { recordEnd } from '../sql/record-text.ts'

export interface PageEnvelope {
  readonly nextPageToken: string | undefined
  /** The number of matches, with a plus sign when there may be more. */
  readonly total: string | undefined
  readonly snapshotVersion: string | undefined
  readonly snapshotToken?: string | undefined
  readonly checksum?: string | undefined
}

export function writePage(
  rows: PageRows,
  { nextPageToken, total, snapshotVersion, snapshotToken, checksum }: PageEnvelope,
): Buffer {
  const end = `]${member('nextPageToken', nextPageToken)}${totalMembers(total)}${member('snapshotVersion', snapshotVersion)}${member('snapshotToken', snapshotToken)}${member('checksum', checksum)}}`
  if (rows.objects === 0) return Buffer.from(begin + end)
  return (
    writeRound(rows, recordEnd + end) ??
    Buffer.concat([Buffer.from(begin), rows.records, Buffer.from(recordEnd + end)])
  )
}

/**
 * Writes the envelope in place, into the buffer that already holds the records, so that a large page is not copied again.
 * Returns nothing if the buffer has no room.
 */
function writeRound({ giveBack, records }: PageRows, end: string): Buffer | undefined {
  if (giveBack === undefined) return undefined
  const whole = Buffer.from(records.buffer)
  const start = records.byteOffset - begin.length
  const recordsEnd = records.byteOffset + records.length
  if (start < 0 || recordsEnd + end.length > whole.length) return undefined
  whole.write(begin, start, 'latin1')
  whole.write(end, recordsEnd, 'latin1')
  return whole.subarray(start, recordsEnd + end.length)
}

/** The values are tokens and numbers: nothing in them needs an escape. */
const member = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`

const totalMembers = (total: string | undefined): string => {
  if (total === undefined) return ''
  return total.endsWith('+')
    ? `,"totalCount":"${total.slice(0, -1)}","totalCountIsBound":true`
    : `,"totalCount":"${total}"`
}

const begin = '{"data":['
