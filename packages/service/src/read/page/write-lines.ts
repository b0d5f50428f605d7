// Writes a page of an export: an object a line, then the line that says how the stream continues, or that it is complete.
import type { PageRows } from '../rows/page/page-rows.ts'
import { recordSeparator } from '../sql/record-text.ts'
import { member, totalMembers, writeBetween, type PageEnvelope } from './write-page.ts'

/** `before` is the number of objects that the stream had before this page. */
export function writeLines(rows: PageRows, envelope: PageEnvelope, before: number): Buffer {
  const { nextPageToken, total, version, snapshotToken, checksum } = envelope
  const last =
    nextPageToken === undefined
      ? `{"type":"end","objectCount":${before + rows.objects}${totalMembers(total)}${member('version', version)}${member('snapshotToken', snapshotToken)}${member('checksum', checksum)}}\n`
      : pageLine(nextPageToken)
  endLines(rows.records)
  return writeBetween('', rows, rows.objects === 0 ? last : `\n${last}`)
}

export const pageLine = (nextPageToken: string): string =>
  `{"type":"page","nextPageToken":"${nextPageToken}"}\n`

const space = 0x20
const separator = recordSeparator('export')
const commaBefore = separator.indexOf('\n') - separator.indexOf(',')

/**
 * PostgreSQL writes a comma and a line end between two records. The comma becomes a space, which JSON allows there: nothing has
 * to be moved.
 */
function endLines(records: Buffer): void {
  for (let at = records.indexOf('\n'); at >= 0; at = records.indexOf('\n', at + 1)) {
    records[at - commaBefore] = space
  }
}
