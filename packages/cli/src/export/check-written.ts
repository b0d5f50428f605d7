// Reads what was written once more, before it gets its name: it must be, byte for byte, what was written, and its objects must add
// up to what was received. Only this proves the file: a disk, another program or this one may have lost something on the way.
import { createReadStream } from 'node:fs'
import { hashOfObject } from '@octavo/client'
import { CliError } from '../base/cli-error.ts'
import { countText } from '../output/numbers.ts'
import type { TypeFacts } from '../reading/type-facts.ts'
import type { ExportFormat } from './export-format.ts'
import type { Properties } from './object-line.ts'
import { objectsInCsv, objectsInNdjson } from './written-objects.ts'
import { chunkBytes, newDigest, type Written } from './unfinished-file.ts'

export interface WrittenExport {
  readonly facts: TypeFacts
  readonly format: ExportFormat
  /** The texts in the file are then not those that were received. */
  readonly escapesFormulas: boolean
  /** Each with what was written to it, one after another. */
  readonly files: readonly { readonly path: string; readonly written: readonly Written[] }[]
  /** The received objects. */
  readonly received: { readonly objects: number; readonly checksum: string | undefined }
  readonly signal: AbortSignal
  /** Called with how many bytes have been read. */
  readonly onRead: (bytes: number) => void
}

export async function checkWritten(given: WrittenExport): Promise<void> {
  const { facts, format, files, received, escapesFormulas } = given
  const isSummed = received.checksum !== undefined && !escapesFormulas
  let objects = 0
  let sum = 0n
  for (const { path, written } of files) {
    const chunks = sameBytes(path, written, given)
    if (format === 'parquet') {
      for await (const _ of chunks);
      continue
    }
    const found = format === 'csv' ? objectsInCsv(chunks, facts) : objectsInNdjson(chunks)
    for await (const some of orNotWhole(path, found)) {
      objects += some.length
      if (!isSummed) continue
      for (const object of some) sum += hashOf(object, facts)
    }
  }
  if (format === 'parquet') return
  const [first] = files
  if (objects !== received.objects) {
    throw notWhole(
      first?.path ?? '',
      `${countText(received.objects)} objects were received, and ${countText(objects)} are in it`,
    )
  }
  const checksum = BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
  if (!isSummed || checksum === received.checksum) return
  throw notWhole(
    first?.path ?? '',
    `its objects add up to ${checksum}, those that were received to ${received.checksum}`,
  )
}

function hashOf(properties: Properties, { primaryKey }: TypeFacts): bigint {
  const hash = hashOfObject({ primaryKey: String(properties[primaryKey]), properties })
  return BigInt(`0x${hash}`)
}

/** The bytes of the file; throws as soon as a part of them is not what was written. */
async function* sameBytes(
  path: string,
  written: readonly Written[],
  { signal, onRead }: Pick<WrittenExport, 'signal' | 'onRead'>,
): AsyncGenerator<Buffer> {
  const parts = written.map(({ bytes, digest }) => ({ left: bytes, digest, hash: newDigest() }))
  const requireDigest = ({ digest, hash }: (typeof parts)[number]): void => {
    if (hash.digest('hex') !== digest) throw notWhole(path, 'its bytes are not those that were written')
  }
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    onRead(chunk.length)
    for (let from = 0; from < chunk.length;) {
      const [part] = parts
      if (part === undefined) throw notWhole(path, 'it is longer than what was written')
      const some = chunk.subarray(from, from + part.left)
      part.hash.update(some)
      part.left -= some.length
      from += some.length
      if (part.left === 0) parts.splice(0, 1).forEach(requireDigest)
    }
    yield chunk
  }
  for (const part of parts) {
    if (part.left > 0) throw notWhole(path, 'it is shorter than what was written')
    requireDigest(part)
  }
}

/** A line that cannot be parsed was never written by us. */
async function* orNotWhole<Item>(path: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    if (error instanceof SyntaxError)
      throw notWhole(path, `it has a line that cannot be read: ${error.message}`)
    throw error
  }
}

const notWhole = (path: string, what: string): CliError =>
  new CliError(
    `${path} is not what was exported: ${what}. It did not get its name. Look for another program that writes there, or a disk that fails, and start over with --restart.`,
  )
