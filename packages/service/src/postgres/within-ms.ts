import type { QueryConfig } from 'pg'

/**
 * With this field the driver abandons a statement that is not answered in time, together with its connection. The driver's types
 * do not have the field.
 */
export const withinMs = <Config extends QueryConfig>(milliseconds: number, config: Config): Config => ({
  ...config,
  query_timeout: milliseconds,
})

/** The longest time that a timer can wait, 24 days. */
export const noTimeoutMs = 2 ** 31 - 1

/** The driver's error message in that case. */
const said = 'Query read timeout'
export const unanswered = (): Error => new Error(said)
export const isUnanswered = (error: Error | undefined): boolean => error?.message === said
