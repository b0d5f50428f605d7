/** One object of the input, or what is wrong with what stands there. */
export type InputRecord = GoodRecord | BadRecord

export interface RecordPlace {
  /** The first line of it. */
  readonly line: number
  /** What stands there, for the file of rejected records. */
  readonly raw: Buffer
  /** Where the next record begins. */
  readonly endByte: number
  readonly endLine: number
}

interface GoodRecord extends RecordPlace {
  readonly kind: 'good'
  /** The JSON object of its properties; bytes of the input where they can be sent as they are. */
  readonly json: Buffer | string
  /** Two records of one object have the same text; undefined where there is no key to be seen. */
  readonly key: string | undefined
}

export interface BadRecord extends RecordPlace {
  readonly kind: 'bad'
  readonly property?: string
  readonly rule: string
}

/** Of all formats. They come many at a time, as they were read. */
export type InputRecords = AsyncIterable<readonly InputRecord[]>
