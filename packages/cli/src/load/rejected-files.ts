// The records that were not loaded, in a file of the same form as the input, to be corrected and loaded; and the reasons, in a
// second file beside it.
import { lstatSync } from 'node:fs'
import { open, rm, truncate } from 'node:fs/promises'
import { resolve } from 'node:path'
import { wrongUse } from '../base/cli-error.ts'
import { aboutFile } from '../base/file-error.ts'
import type { RecordFormat } from '../records/read-records.ts'
import type { LoadState } from './load-state.ts'
import { rejectionLine, type Rejection } from './rejection.ts'

export interface RejectedFiles {
  readonly append: (rejections: readonly Rejection[]) => Promise<void>
  readonly bytes: () => Pick<LoadState, 'rejectedBytes' | 'reasonsBytes'>
  readonly close: () => Promise<void>
}

interface RejectedOutput extends Pick<LoadState, 'rejectedFile' | 'rejectedBytes' | 'reasonsBytes'> {
  /** Undefined if nothing is to be written. */
  readonly path: string | undefined
  /** The line that the file begins with: the header of CSV. It is known once a record has been read. */
  readonly header: () => Buffer | undefined
}

/** The file with the reasons, of the records in this file. */
export const reasonsOf = (rejectedFile: string): string => `${rejectedFile}.reasons.ndjson`

interface WantedRejectedFile {
  readonly currentFolder: string
  /** The name from --rejected. */
  readonly rejected: string | undefined
  /** The name of the input. */
  readonly name: string
  readonly format: RecordFormat
}

/** The file for a new load. Records of an earlier load, which somebody may be correcting, are not written over. */
export function rejectedFileFor({ currentFolder, rejected, name, format }: WantedRejectedFile): string {
  const isTaken = (file: string): boolean =>
    [file, reasonsOf(file)].some((each) => isThere(resolve(currentFolder, each)))
  if (rejected !== undefined) {
    if (!isTaken(rejected)) return rejected
    throw wrongUse(
      `${rejected} or ${reasonsOf(rejected)} is there already, perhaps with records to be corrected: move it away, or give --rejected another name.`,
    )
  }
  for (let number = 1; ; number += 1) {
    const file = `${name}.rejected${number === 1 ? '' : `-${number}`}.${format}`
    if (!isTaken(file)) return file
  }
}

/** A link is there, wherever it leads. That a folder is none is said when the file is opened. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false

/** Discards the files of an earlier run, too. */
export async function removeRejectedFiles(currentFolder: string, rejectedFile: string): Promise<void> {
  for (const file of [rejectedFile, reasonsOf(rejectedFile)]) {
    await rm(resolve(currentFolder, file), { force: true })
  }
}

/** Without rejections no file is created. Bytes beyond the saved ones are from batches that will be sent again. */
export async function openRejectedFiles(output: RejectedOutput): Promise<RejectedFiles> {
  const { path, rejectedFile, rejectedBytes, reasonsBytes = 0, header } = output
  if (path === undefined) return noFiles
  const records = appendingTo(path, rejectedBytes)
  const reasons = appendingTo(reasonsOf(path), reasonsBytes)
  await aboutFile(rejectedFile, async () => {
    await records.open()
    await reasons.open()
  })
  return {
    append: (rejections) =>
      aboutFile(rejectedFile, async () => {
        if (rejections.length === 0) return
        const inOrder = rejections.toSorted((a, b) => a.line - b.line)
        await reasons.append(Buffer.from(inOrder.map(rejectionLine).join('')))
        const first = header()
        const head = records.bytes() === 0 && first !== undefined ? [first, lineEnd] : []
        await records.append(Buffer.concat([...head, ...rawLines(inOrder)]))
      }),
    bytes: () => ({ rejectedBytes: records.bytes(), reasonsBytes: reasons.bytes() }),
    close: async () => {
      await records.close()
      await reasons.close()
    },
  }
}

const noFiles: RejectedFiles = {
  append: async () => {},
  bytes: () => ({ rejectedBytes: 0 }),
  close: async () => {},
}

const lineEnd = Buffer.from('\n')

/** Each record once, even if several of its properties are wrong. A record that is not whole is left to its reason. */
function rawLines(inOrder: readonly Rejection[]): readonly Buffer[] {
  return inOrder.flatMap(({ line, raw, isCut }, i) =>
    isCut || inOrder[i - 1]?.line === line ? [] : [raw, lineEnd],
  )
}

/** A policy may hide from others what they hold. */
const ownerOnly = 0o600

function appendingTo(path: string, before: number) {
  let file: Awaited<ReturnType<typeof open>> | undefined
  let bytes = before
  return {
    /** Fails now, not in the middle of a load, if the file cannot be written. */
    open: async () => {
      await (await open(path, 'a', ownerOnly)).close()
      if (before === 0) await rm(path)
      else await truncate(path, before)
    },
    append: async (more: Buffer) => {
      if (more.length === 0) return
      file ??= await open(path, 'a', ownerOnly)
      await file.appendFile(more)
      bytes += more.length
    },
    bytes: () => bytes,
    close: async () => file?.close(),
  }
}
