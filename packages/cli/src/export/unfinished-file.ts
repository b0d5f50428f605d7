// A file that is being written, and a digest of what was written to it, from which it is known again.
import { createHash } from 'node:crypto'
import { constants, open, type FileHandle } from 'node:fs/promises'
import { wrongUse } from '../base/cli-error.ts'
import type { ClosedTarget } from './export-target.ts'

/** The bytes that a file must hold. */
export interface Written {
  readonly bytes: number
  /** SHA-256 of these bytes, in hexadecimal. */
  readonly digest: string
}

export interface UnfinishedFile extends ClosedTarget {
  /** The bytes so far, once they are on the disk. */
  readonly written: () => Promise<Written>
}

export const newDigest = () => createHash('sha256')

export const nothingWritten: Written = { bytes: 0, digest: newDigest().digest('hex') }

/** Exports may hold objects that others must not see. */
export const ownerOnly = 0o600

/** Never takes over what somebody else has written, and follows no link. */
export async function createUnfinished(path: string): Promise<UnfinishedFile> {
  try {
    return unfinishedFile(await open(path, 'wx', ownerOnly), newDigest(), 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    throw wrongUse(
      `${path} is in the way, and is not of an export that can be continued: rename or remove it, or give --out another name.`,
    )
  }
}

/** Continues the file behind the saved state. Bytes after that were written later, and their objects are read again. */
export async function continueUnfinished(path: string, { bytes, digest }: Written): Promise<UnfinishedFile> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' || error.code === 'ELOOP' ? notAsWritten(`${path} is gone`) : error
    },
  )
  try {
    const { size } = await file.stat()
    if (size < bytes) {
      throw notAsWritten(`${path} has ${size} bytes, and ${bytes} were written`)
    }
    const hash = newDigest()
    for await (const chunk of bytes === 0 ? [] : beginningOf(file, bytes)) hash.update(chunk)
    if (hash.copy().digest('hex') !== digest) throw notAsWritten(`${path} is not what was written`)
    await file.truncate(bytes)
    return unfinishedFile(file, hash, bytes)
  } catch (error) {
    await file.close()
    throw error
  }
}

export const chunkBytes = 512 * 1024

const beginningOf = (file: FileHandle, bytes: number): AsyncIterable<Buffer> =>
  file.createReadStream({ start: 0, end: bytes - 1, autoClose: false, highWaterMark: chunkBytes })

const notAsWritten = (what: string): Error =>
  wrongUse(`The export cannot be resumed: ${what}. Start over with --restart.`)

function unfinishedFile(file: FileHandle, hash: ReturnType<typeof newDigest>, from: number): UnfinishedFile {
  let bytes = from
  return {
    write: async (given) => {
      const written = typeof given === 'string' ? Buffer.from(given) : given
      // A disk that is nearly full takes a part of the bytes and no error; the next write then fails.
      for (let done = 0; done < written.length;) {
        const { bytesWritten } = await file.write(written, done, written.length - done, bytes + done)
        done += bytesWritten
      }
      bytes += written.length
      hash.update(written)
    },
    bytes: () => bytes,
    written: async () => {
      await file.datasync()
      return { bytes, digest: hash.copy().digest('hex') }
    },
    close: () => file.close(),
  }
}
