// What faults can be done to a database, whether it is one server or a pair.

export interface DatabaseUnderTest {
  /** Of a database that is ours. */
  readonly url: string
  readonly faults: Readonly<Record<string, DatabaseFault>>
  readonly stop: () => Promise<void>
}

/** Resolves when the database can be written to again; what is to be mended after that is given back. */
type DatabaseFault = (pauseMilliseconds: number) => Promise<(() => Promise<void>) | undefined>
