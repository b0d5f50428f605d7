// The columns of a row message: how many there are, then of each its size and its bytes.
import type { TakeRow } from './message-reader.ts'

export type BytesRow = readonly (Buffer | null)[]

/** Where the size of the first column stands. */
export const firstColumn = 2
export const sizeBytes = 4

/** From the size of a column on: pieces of the bytes that were given. */
export function readColumns(bytes: Buffer, from: number, end: number): BytesRow {
  const fields: (Buffer | null)[] = []
  for (let at = from; at < end;) {
    const size = bytes.readInt32BE(at)
    at += sizeBytes
    fields.push(size < 0 ? null : bytes.subarray(at, at + size))
    at += Math.max(size, 0)
  }
  return fields
}

/** One row, kept: for answers that are one row and nothing to pass on as it is. */
export function firstRow(): { readonly takeRow: TakeRow; readonly row: () => BytesRow | undefined } {
  let row: BytesRow | undefined
  return {
    takeRow: (bytes, at, end) => {
      row ??= readColumns(Buffer.from(bytes.subarray(at, end)), firstColumn, end - at)
    },
    row: () => row,
  }
}
