import type { QueryConfig } from 'pg'

/** The driver gives up a statement that is not answered in time, with its connection; its types do not know the field. */
export const withinMs = <Config extends QueryConfig>(milliseconds: number, config: Config): Config => ({
  ...config,
  query_timeout: milliseconds,
})

/** The longest that a timer can wait, 24 days. */
export const noTimeoutMs = 2 ** 31 - 1

/** What the driver says then. */
export const isUnanswered = (error: Error): boolean => error.message === 'Query read timeout'
