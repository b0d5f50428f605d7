// The body of a page. The objects are bytes from PostgreSQL; only the envelope round them is written here.
import type { PageRows } from '../rows/page-rows.ts'
import { recordEnd } from '../sql/record-text.ts'
import { projectRecords } from './project-records.ts'

export interface PageEnvelope {
  readonly nextPageToken: string | undefined
  readonly totalCount: string | undefined
  /** The properties to keep; all of them when undefined. */
  readonly select: readonly string[] | undefined
}

export function writePage(rows: PageRows, { nextPageToken, totalCount, select }: PageEnvelope): Buffer {
  const token = nextPageToken === undefined ? '' : `,"nextPageToken":"${nextPageToken}"`
  const total = totalCount === undefined ? '' : `,"totalCount":"${totalCount}"`
  const end = Buffer.from(`]${token}${total}}`)
  if (rows.objects === 0) return Buffer.concat([begin, end])
  const records = [rows.firstHead, rows.body, lastRecordEnd]
  return Buffer.concat([
    begin,
    ...(select === undefined ? records : [projectRecords(Buffer.concat(records), select)]),
    end,
  ])
}

const begin = Buffer.from('{"data":[')
const lastRecordEnd = Buffer.from(recordEnd)
