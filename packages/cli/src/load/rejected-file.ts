// The records that were not loaded, each with its reason, to be corrected and loaded again.
import { open, rm, truncate, type FileHandle } from 'node:fs/promises'
import { rejectionLine, type Rejection } from './rejection.ts'

export interface RejectedFile {
  readonly append: (rejections: readonly Rejection[]) => Promise<void>
  readonly bytes: () => number
  readonly close: () => Promise<void>
}

/**
 * Truncates the file to `bytes`: the rest is from batches that will be sent again. Without rejections no file is created.
 */
export async function openRejectedFile(path: string, bytes: number): Promise<RejectedFile> {
  let file: FileHandle | undefined
  let written = bytes
  if (bytes === 0) await rm(path, { force: true })
  else await truncate(path, bytes)
  return {
    append: async (rejections) => {
      if (rejections.length === 0) return
      file ??= await open(path, 'a')
      const lines = Buffer.from(rejections.map(rejectionLine).join(''))
      await file.appendFile(lines)
      written += lines.length
    },
    bytes: () => written,
    close: async () => file?.close(),
  }
}
