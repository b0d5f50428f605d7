// Where an export goes: standard output, or a file that has its name only once it is whole.
import { open, rename } from 'node:fs/promises'
import type { Output } from '../output/output.ts'

export interface ExportTarget {
  readonly write: (text: string) => Promise<void>
  /** Bytes that are written, also by the run before this one. */
  readonly bytes: () => number
  /** Everything is there. */
  readonly finish: () => Promise<void>
  /** It goes on later, or never. */
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

/** What the file holds after `from` bytes was written after the state was saved, and will come again. */
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
      // A name that is there after a crash must not stand for a file that is not.
      await file.sync()
      await file.close()
      await rename(partOf(path), path)
    },
    leave: () => file.close(),
  }
}
