// What an export writes to: standard output, a pipe or a device, or a file.
import { open, stat } from 'node:fs/promises'
import type { Output } from '../output/output.ts'

export interface ExportTarget {
  readonly write: (written: string | Uint8Array) => Promise<void>
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
    write: async (written) => {
      bytes += Buffer.byteLength(written)
      await write(written)
    },
    bytes: () => bytes,
    finish: async () => {},
    leave: async () => {},
  }
}

/** What the name stands for: a file, or something that takes bytes and keeps no name, such as a pipe or a device. */
export async function targetKind(path: string): Promise<'file' | 'stream'> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined || found.isFile()) return 'file'
  // Known now, not after everything is written.
  if (found.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR', path })
  return 'stream'
}

export async function streamFile(path: string): Promise<ExportTarget> {
  const file = await open(path, 'w')
  const { bytes, write } = standardOutput({
    write: async (text) => {
      await file.writeFile(text)
    },
  })
  return { write, bytes, finish: () => file.close(), leave: () => file.close() }
}

/** Truncates the file to `from` bytes: the rest was written after the state was saved, and will be read again. */
export async function exportFile(path: string, from: number): Promise<ExportTarget> {
  const file = await open(path, from === 0 ? 'w' : 'r+')
  await file.truncate(from)
  let bytes = from
  return {
    write: async (given) => {
      const written = typeof given === 'string' ? Buffer.from(given) : given
      // A disk that is nearly full takes a part of the bytes and no error; the next write then fails.
      for (let done = 0; done < written.length;) {
        const { bytesWritten } = await file.write(written, done, written.length - done, bytes)
        done += bytesWritten
        bytes += bytesWritten
      }
    },
    bytes: () => bytes,
    finish: async () => {
      // Synced before it gets its name, so that after a crash the name never refers to an incomplete file.
      await file.sync()
      await file.close()
    },
    leave: () => file.close(),
  }
}
