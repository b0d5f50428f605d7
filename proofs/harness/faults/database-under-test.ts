// The faults that can be caused in a database, whether it is one server or a pair.

export interface DatabaseUnderTest {
  /** The URL of our own database. */
  readonly url: string
  readonly faults: Readonly<Record<string, DatabaseFault>>
  readonly stop: () => Promise<void>
}

/** Resolves when the database is writable again, with what must still be repaired after that. */
type DatabaseFault = (pauseMilliseconds: number) => Promise<(() => Promise<void>) | undefined>
