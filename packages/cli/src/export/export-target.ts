// The target of an export: standard output, or a file that gets its name only once it is complete.
import { open, rename } from 'node:fs/promises'
import type { Output } from '../output/output.ts'

export interface ExportTarget {
  readonly write: (text: string) => Promise<void>
  /** Bytes written so far, including those of earlier runs. */
  readonly bytes: () => number
  /** Called once everything is written. */
  readonly finish: () => Promise<void>
  /** Called when the export stops early; it may be resumed later, or never. */
  readonly leave: () => Promise<void>
}

export const standardOutput = ({ write }: Pick<Output, 'write'>): ExportTarget => {
  let bytes = 0
  return {
    write: async (text) => {
      bytes += Buffer.byteLength(text)
      await write(text)
    },
    bytes: () => bytes,
    finish: async () => {},
    leave: async () => {},
  }
}

const partOf = (path: string): string => `${path}.part`

/** Truncates the file to `from` bytes: the rest was written after the state was saved, and will be read again. */
export async function exportFile(path: string, from: number): Promise<ExportTarget> {
  const file = await open(partOf(path), from === 0 ? 'w' : 'r+')
  await file.truncate(from)
  let bytes = from
  return {
    write: async (text) => {
      const written = Buffer.from(text)
      await file.write(written, 0, written.length, bytes)
      bytes += written.length
    },
    bytes: () => bytes,
    finish: async () => {
      // Synced before the rename, so that after a crash the name never refers to an incomplete file.
      await file.sync()
      await file.close()
      await rename(partOf(path), path)
    },
    leave: () => file.close(),
  }
}
