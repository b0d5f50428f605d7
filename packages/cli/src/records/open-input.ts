// The source of records: a file, a gzip file (detected by its first bytes, whatever its name), or standard input.
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { wrongUse } from '../base/cli-error.ts'
import { aboutFile } from '../base/file-error.ts'

export interface Input {
  /** The name that was given; `-` is standard input. */
  readonly name: string
  /** The size of the stored file in bytes; undefined for standard input. */
  readonly size: number | undefined
  readonly isCompressed: boolean
  /** The uncompressed bytes from there on. Standard input can be read only once, from 0. */
  readonly read: (fromByte: number) => AsyncIterable<Buffer>
  /** How many bytes of the stored file have been read so far. */
  readonly bytesRead: () => number
}

const chunkBytes = 512 * 1024
const gzipMagic = Buffer.from([0x1f, 0x8b])

/** By their first bytes: what has the name of a text, and is none. */
const otherFormats: Readonly<Record<string, string | undefined>> = {
  'PK\u0003\u0004': 'a zip file, as Excel writes them: save it as CSV in UTF-8, or unpack it',
  PAR1: 'a Parquet file: write it as CSV or NDJSON first, for example with DuckDB',
}

export async function openInput(
  name: string,
  path: string,
  standardInput: NodeJS.ReadableStream,
): Promise<Input> {
  return name === '-' ? standardInputOf(standardInput) : openFile(name, path)
}

async function openFile(name: string, path: string): Promise<Input> {
  const size = await sizeOf(name, path)
  const first = await aboutFile(name, () => beginningOf(path, 4))
  const isCompressed = first.subarray(0, gzipMagic.length).equals(gzipMagic)
  const other = otherFormats[first.toString('latin1')]
  if (other !== undefined) throw wrongUse(`${name} is ${other}.`)
  let bytesRead = 0
  return {
    name,
    size,
    isCompressed,
    bytesRead: () => bytesRead,
    read: (fromByte) => {
      bytesRead = isCompressed ? 0 : fromByte
      const stored = createReadStream(path, { start: isCompressed ? 0 : fromByte, highWaterMark: chunkBytes })
      const counted = counting(stored, (count) => (bytesRead += count))
      return isCompressed ? skipping(unpacked(counted, name), fromByte) : counted
    },
  }
}

function standardInputOf(stream: NodeJS.ReadableStream): Input {
  let bytesRead = 0
  return {
    name: '-',
    size: undefined,
    isCompressed: false,
    bytesRead: () => bytesRead,
    read: () => maybeUnpacked(counting(stream as Readable, (count) => (bytesRead += count))),
  }
}

async function sizeOf(name: string, path: string): Promise<number> {
  const found = await aboutFile(name, () => stat(path))
  if (found.isDirectory()) throw wrongUse(`${name} is a folder: give the files in it.`)
  return found.size
}

/** The first bytes of a file, or all of them if it is shorter. */
export async function beginningOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytes), position: 0 })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* counting(
  chunks: AsyncIterable<Buffer | string>,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    count(bytes.length)
    yield bytes
  }
}

async function* skipping(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of chunks) {
    if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

async function* maybeUnpacked(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await chunks.next()
  if (first.done === true) return
  const all = startingWith(first.value, chunks)
  yield* first.value.subarray(0, gzipMagic.length).equals(gzipMagic) ? unpacked(all, 'standard input') : all
}

async function* startingWith(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* others
}

async function* unpacked(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  const source = Readable.from(chunks, { objectMode: true })
  source.on('error', (error) => gunzip.destroy(error))
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Buffer>
  } catch (error) {
    throw wrongUse(
      `${name} cannot be decompressed (${error instanceof Error ? error.message : String(error)}): it is damaged or incomplete. Create it again.`,
    )
  } finally {
    source.destroy()
  }
}
