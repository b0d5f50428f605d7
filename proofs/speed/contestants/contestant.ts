export interface LoadResult {
  readonly pages: number
  readonly seconds: number
}

export interface LoadOptions {
  readonly connections: number
  readonly seconds: number
}

/** A service or server that returns pages of one size, of the same objects as all others. */
export interface Contestant {
  readonly name: string
  readonly pageSize: number
  /** The processes of the service; none for the bare server. */
  readonly pids: readonly number[]
  /** Reads pages at several depths and throws unless each contains exactly what it should. */
  readonly check: () => Promise<void>
  /** Throws if any answer is not a page. */
  readonly load: (options: LoadOptions) => Promise<LoadResult>
}
