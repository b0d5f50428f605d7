import type { QueryConfig } from 'pg'

/** The driver gives up a statement that is not answered in time, with its connection; its types do not know the field. */
export const withinMs = <Config extends QueryConfig>(milliseconds: number, config: Config): Config => ({
  ...config,
  query_timeout: milliseconds,
})

/** The longest that a timer can wait, 24 days. */
export const noTimeoutMs = 2 ** 31 - 1

/** What the driver says then. */
const said = 'Query read timeout'
export const unanswered = (): Error => new Error(said)
export const isUnanswered = (error: Error | undefined): boolean => error?.message === said
