/** A line of the input as bytes, without its line end. */
export interface Line {
  /** Counted from 1, as an editor does. */
  readonly line: number
  readonly bytes: Buffer
  /** It ended as Windows ends lines; inside a quoted cell that is part of the value. */
  readonly hasReturn: boolean
  /** Where the next line begins in the input, once unpacked. */
  readonly endByte: number
  /** Longer than what the service takes: `bytes` is only how it begins. */
  readonly isCut: boolean
}

/** Where reading begins: 0 and 1, or where a load stopped. */
export interface LinePlace {
  readonly byte: number
  readonly line: number
}

export const beginning: LinePlace = { byte: 0, line: 1 }
