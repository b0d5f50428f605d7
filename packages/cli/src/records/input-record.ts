/** One object of the input, or the problem with its text. */
export type InputRecord = GoodRecord | BadRecord

export interface RecordLocation {
  /** Its first line. */
  readonly line: number
  /** The text of the record, for the file of rejected records. */
  readonly raw: Buffer
  /** The byte at which the next record starts. */
  readonly endByte: number
  readonly endLine: number
}

interface GoodRecord extends RecordLocation {
  readonly kind: 'good'
  /** The JSON object of its properties; as bytes of the input if they can be sent unchanged. */
  readonly json: Buffer | string
  /** The same text for all records of one object; undefined if the record has no recognisable key. */
  readonly key: string | undefined
}

export interface BadRecord extends RecordLocation {
  readonly kind: 'bad'
  readonly property?: string
  readonly problem: string
  /** Only the beginning of the record was kept. */
  readonly isCut?: true
}

/** The records of any format, in chunks as they were read. */
export type InputRecords = AsyncIterable<readonly InputRecord[]>
