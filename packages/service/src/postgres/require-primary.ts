// A standby answers every query, with data that may be a while old, and refuses every change. During a failover an address may
// lead to one. Such a connection is not used: an error now is better than old pages.
import { hasCitus } from './has-citus.ts'

/**
 * A query that is sent together with other statements. The name of the WAL file that a primary writes begins with its timeline.
 */
export const asksForServer = `select pg_is_in_recovery() as standby,
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
  ${hasCitus} as citus`

/** What a primary says about itself. */
export interface Primary {
  readonly timeline: string
  /** Whether it is a node of a Citus cluster. */
  readonly citus: boolean
}

class StandbyFound extends Error {
  override readonly name = 'StandbyFound'
  /** The code with which PostgreSQL itself refuses a change on a standby. */
  readonly code = '25006'

  constructor() {
    super('the server is a standby: database-url must point to the primary')
  }
}

/** Takes the results of a text of several statements whose last one is `asksForServer`. */
export function requirePrimary(answers: unknown): Primary {
  const last: unknown = Array.isArray(answers) ? answers.at(-1) : answers
  const { rows } = last as {
    readonly rows: readonly {
      readonly standby?: unknown
      readonly timeline?: unknown
      readonly citus?: unknown
    }[]
  }
  const [answer] = rows
  if (answer?.standby !== false) throw new StandbyFound()
  return { timeline: String(answer.timeline), citus: answer.citus === true }
}
