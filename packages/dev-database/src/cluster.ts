/** A throwaway PostgreSQL server of our own. */
export type Cluster = {
  /** The URL of the database `postgres`, as superuser, password included. */
  readonly url: string
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly socketFolder: string
  readonly dataFolder: string
  readonly binFolder: string
  readonly databaseUrl: (name: string) => string
  /** Stops the server and removes everything; calling it again is harmless. */
  readonly stop: () => Promise<void>
  /** Simulates a crash: kills every process of the server at once. Committed data stays. */
  readonly kill: () => Promise<void>
  /** After `kill`: starts the server again on the same port with the same data. */
  readonly start: () => Promise<void>
  /** Shuts down, then starts. A fast shutdown is orderly; after an immediate one, the start recovers what was committed. */
  readonly restart: (shutdown?: 'fast' | 'immediate') => Promise<void>
}
