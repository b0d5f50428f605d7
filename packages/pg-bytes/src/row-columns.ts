// The columns of a row message: their number, then the size and the bytes of each.
import type { TakeRow } from './message-reader.ts'

export type BytesRow = readonly (Buffer | null)[]

/** The offset of the first column's size. */
export const firstColumn = 2
export const sizeBytes = 4

/** Reads columns, starting at the size of one. The fields are slices of the given bytes. */
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

/** Keeps the first row: for answers of a single row that is not passed on as it is. */
export function firstRow(): { readonly takeRow: TakeRow; readonly row: () => BytesRow | undefined } {
  let row: BytesRow | undefined
  return {
    takeRow: (bytes, at, end) => {
      row ??= readColumns(Buffer.from(bytes.subarray(at, end)), firstColumn, end - at)
    },
    row: () => row,
  }
}
