// One row, kept: for answers that are one row and nothing to pass on as it is.
import type { TakeRow } from './message-reader.ts'

/** The fields are pieces of memory that is the row's alone. */
export type BytesRow = readonly (Buffer | null)[]

export function firstRow(): { readonly takeRow: TakeRow; readonly row: () => BytesRow | undefined } {
  let row: BytesRow | undefined
  return {
    takeRow: (bytes, at, end) => {
      row ??= readFields(Buffer.from(bytes.subarray(at, end)))
    },
    row: () => row,
  }
}

function readFields(row: Buffer): BytesRow {
  const fields: (Buffer | null)[] = []
  let at = 2
  for (let left = row.readInt16BE(0); left > 0; left -= 1) {
    const size = row.readInt32BE(at)
    at += 4
    fields.push(size < 0 ? null : row.subarray(at, at + size))
    at += Math.max(size, 0)
  }
  return fields
}
