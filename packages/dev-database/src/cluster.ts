/** A throwaway PostgreSQL server of our own. */
export type Cluster = {
  /** Address of the database `postgres`, as superuser, password included. */
  readonly url: string
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly socketFolder: string
  readonly dataFolder: string
  readonly binFolder: string
  readonly databaseUrl: (name: string) => string
  /** Ends the server and removes everything; calling it again does no harm. */
  readonly stop: () => Promise<void>
  /** A crash: every process of the server is killed at once. What was committed stays. */
  readonly kill: () => Promise<void>
  /** After `kill`: starts again on the same port with the same data. */
  readonly start: () => Promise<void>
  /** A shutdown, then a start. A fast one is orderly; after an immediate one the start recovers what was committed. */
  readonly restart: (shutdown?: 'fast' | 'immediate') => Promise<void>
}
