/** How long a page may be read. */
export interface ReadLimits {
  readonly signal?: AbortSignal | undefined
  /** On the store's clock: by when it must be read so that its answer can still be sent. As long as it takes, if not given. */
  readonly answerBy?: number
  /** From when on a page takes long, and is content with less than its size; ten seconds from now, if not given. */
  readonly longAfter?: number
}
