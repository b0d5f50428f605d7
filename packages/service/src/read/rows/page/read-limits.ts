/** How long a page may be read. */
export interface ReadLimits {
  readonly signal?: AbortSignal | undefined
  /**
   * The time, on the store's clock, by which the page must be read so that its answer can still be sent. No limit if not given.
   */
  readonly answerBy?: number
  /** The time from which the page counts as slow and may return less than its size; ten seconds from now if not given. */
  readonly longAfter?: number
}
