// What an export writes to: standard output, a pipe or a device.
import { lstat, open, readlink, stat } from 'node:fs/promises'
import { wrongUse } from '../base/cli-error.ts'
import type { Output } from '../output/output.ts'

export interface ExportTarget {
  readonly write: (written: string | Uint8Array) => Promise<void>
  /** Bytes written so far, including those of earlier runs. */
  readonly bytes: () => number
}

export interface ClosedTarget extends ExportTarget {
  readonly close: () => Promise<void>
}

export const standardOutput = ({ write }: Pick<Output, 'write'>): ClosedTarget => {
  let bytes = 0
  return {
    write: async (written) => {
      bytes += Buffer.byteLength(written)
      await write(written)
    },
    bytes: () => bytes,
    close: async () => {},
  }
}

/** What the name stands for: a file, or something that takes bytes and keeps no name, such as a pipe or a device. */
export async function targetKind(path: string): Promise<'file' | 'stream'> {
  const found = await orUndefined(stat(path))
  // Known now, not after everything is written.
  if (found?.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR', path })
  if (found !== undefined && !found.isFile()) return 'stream'
  if ((await orUndefined(lstat(path)))?.isSymbolicLink()) {
    throw wrongUse(
      `${path} is a symbolic link to ${await readlink(path)}, and would be replaced by a file: give --out the name of the file itself, or remove the link.`,
    )
  }
  return 'file'
}

async function orUndefined<Found>(finding: Promise<Found>): Promise<Found | undefined> {
  try {
    return await finding
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export async function streamFile(path: string): Promise<ClosedTarget> {
  const file = await open(path, 'w')
  const { bytes, write } = standardOutput({
    write: async (text) => {
      await file.writeFile(text)
    },
  })
  return { write, bytes, close: () => file.close() }
}
