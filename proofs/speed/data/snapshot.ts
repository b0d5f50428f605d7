/** A committed state of a type, as page tokens identify it. */
export interface Snapshot {
  readonly version: string
  readonly tag: string
}
