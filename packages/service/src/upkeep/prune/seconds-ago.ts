/**
 * Ages are measured with the clock that made the times: that of the database, never that of an instance. It is the time at which
 * the transaction began, so that nothing looks older than it is.
 */
export const secondsAgo = (parameter: string): string =>
  `(now() at time zone 'UTC' - make_interval(secs => ${parameter}::double precision))`
