import { createClient } from '@octavo/client'
import type { ExportJob, ExportProgress, ExportResult } from '../reader/messages.ts'
import { headOf, lineOf, mediaTypeOf } from './format.ts'

/** A blob may be kept on disk by the browser; text is in memory. */
const blobCharacters = 1_000_000

/**
 * Reads everything that matches in one state, as one walk: it ends with all objects, or with an error. What the walk can compare, the
 * number of objects and their checksum, it has compared by then.
 */
export async function runExport(
  { url, token, family, type, query, order, snapshotToken, format, columns }: ExportJob,
  tell: (message: ExportProgress | ExportResult) => void,
): Promise<void> {
  const walk = createClient({ url, token })
    .family(family)
    .objects(type)
    .stream({
      snapshotToken,
      ...(query !== undefined && { query }),
      ...(order.length > 0 && { orderBy: order }),
    })
  const pieces: Blob[] = []
  let text = headOf(format, columns)
  let objects = 0
  let version: string | undefined
  let checksum: string | undefined
  for await (const page of walk.pages()) {
    for (const object of page.data) text += lineOf(format, columns, object)
    objects += page.data.length
    version = page.version ?? version
    checksum = page.checksum
    if (text.length > blobCharacters) {
      pieces.push(new Blob([text]))
      text = ''
    }
    tell({ kind: 'progress', objects })
  }
  const file = new Blob([...pieces, text], { type: mediaTypeOf[format] })
  tell({ kind: 'exported', objects, version, checksum, file })
}
