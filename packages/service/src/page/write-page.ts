// The body of a page. The objects are bytes from PostgreSQL; only the envelope round them is written here.
import type { PageRows } from '../rows/page-rows.ts'
import { recordEnd } from '../sql/record-text.ts'
import { projectRecords } from './project-records.ts'

export interface PageEnvelope {
  readonly nextPageToken: string | undefined
  /** With a plus sign when there may be more. */
  readonly total: string | undefined
  readonly snapshotVersion: string | undefined
  /** The properties to keep; all of them when undefined. */
  readonly select: readonly string[] | undefined
}

export function writePage(
  rows: PageRows,
  { nextPageToken, total, snapshotVersion, select }: PageEnvelope,
): Buffer {
  const token = nextPageToken === undefined ? '' : `,"nextPageToken":"${nextPageToken}"`
  const version = snapshotVersion === undefined ? '' : `,"snapshotVersion":"${snapshotVersion}"`
  const end = `]${token}${totalMembers(total)}${version}}`
  if (rows.objects === 0) return Buffer.from(begin + end)
  if (select !== undefined) {
    const records = Buffer.concat([rows.firstHead, rows.body, Buffer.from(recordEnd)])
    return Buffer.concat([Buffer.from(begin), projectRecords(records, select), Buffer.from(end)])
  }
  return (
    writeRound(rows, recordEnd + end) ??
    Buffer.concat([Buffer.from(begin), rows.firstHead, rows.body, Buffer.from(recordEnd + end)])
  )
}

/**
 * Where the body lies, over what the row had before it, which has been read by now: a large page is never copied. Nothing
 * if there is no room.
 */
function writeRound({ giveBack, firstHead, body }: PageRows, end: string): Buffer | undefined {
  if (giveBack === undefined) return undefined
  const whole = Buffer.from(body.buffer)
  const bodyEnd = body.byteOffset + body.length
  const headStart = body.byteOffset - firstHead.length
  const start = headStart - begin.length
  if (start < 0 || bodyEnd + end.length > whole.length) return undefined
  firstHead.copy(whole, headStart)
  whole.write(begin, start, 'latin1')
  whole.write(end, bodyEnd, 'latin1')
  return whole.subarray(start, bodyEnd + end.length)
}

const totalMembers = (total: string | undefined): string => {
  if (total === undefined) return ''
  return total.endsWith('+')
    ? `,"totalCount":"${total.slice(0, -1)}","totalCountIsBound":true`
    : `,"totalCount":"${total}"`
}

const begin = '{"data":['
