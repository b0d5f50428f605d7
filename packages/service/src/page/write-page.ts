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

/** In parts, to be sent one after the other: joining them would take a second copy of a large page. */
export function writePage(
  rows: PageRows,
  { nextPageToken, total, snapshotVersion, select }: PageEnvelope,
): readonly Buffer[] {
  const token = nextPageToken === undefined ? '' : `,"nextPageToken":"${nextPageToken}"`
  const version = snapshotVersion === undefined ? '' : `,"snapshotVersion":"${snapshotVersion}"`
  const end = Buffer.from(`]${token}${totalMembers(total)}${version}}`)
  if (rows.objects === 0) return [begin, end]
  const records = [rows.firstHead, rows.body, lastRecordEnd]
  return [begin, ...(select === undefined ? records : [projectRecords(Buffer.concat(records), select)]), end]
}

const totalMembers = (total: string | undefined): string => {
  if (total === undefined) return ''
  return total.endsWith('+')
    ? `,"totalCount":"${total.slice(0, -1)}","totalCountIsBound":true`
    : `,"totalCount":"${total}"`
}

const begin = Buffer.from('{"data":[')
const lastRecordEnd = Buffer.from(recordEnd)
