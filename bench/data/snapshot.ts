/** A committed state of a type, as page tokens name it. */
export interface Snapshot {
  readonly version: string
  readonly tag: string
}
