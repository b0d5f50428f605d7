/** A line of the input as bytes, without its line end. */
export interface Line {
  /** Counted from 1, as in an editor. */
  readonly line: number
  readonly bytes: Buffer
  /** Whether it ended with CR LF; inside a quoted cell the CR is part of the value. */
  readonly hasReturn: boolean
  /** Where the next line starts in the uncompressed input. */
  readonly endByte: number
  /** Whether it is longer than the service accepts; then `bytes` is only its beginning. */
  readonly isCut: boolean
}

/** Where reading starts: 0 and 1, or where a load stopped. */
export interface LineStart {
  readonly byte: number
  readonly line: number
}

export const beginning: LineStart = { byte: 0, line: 1 }
