import { BytesClient } from '@octavo/pg-bytes'
import { Pool, type ClientConfig } from 'pg'
import type { ServeOptions } from '../config/options.ts'
import { serverUrls } from '../config/server-urls.ts'
import type { Observe } from '../observe/observation.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { asksForServer, requirePrimary } from './require-primary.ts'
import { serverTurns } from './server-turns.ts'
import { sessionSettings, transactionSettings } from './session-settings.ts'
import { trustedConnections } from './trusted-connections.ts'
import { withinMs } from './within-ms.ts'

export interface PoolOptions extends Pick<
  ServeOptions,
  'databaseUrl' | 'databasePoolSize' | 'statementTimeoutSeconds'
> {
  readonly databasePooling?: ServeOptions['databasePooling']
  /** For reads that may return old data; otherwise a standby is refused. */
  readonly allowsStandby?: boolean
  readonly connectSeconds?: number
}

/** Extra time because our own code also runs between two statements of a transaction. It never waits for a client there. */
const idleGraceSeconds = 10

/** The server cancels a statement that takes too long. If the server does not answer at all, we abandon it this much later. */
const answerGraceSeconds = 5

export const createPool = (options: PoolOptions, observe: Observe): ConnectionPool => {
  const servers = serverTurns(serverUrls(options.databaseUrl))
  const statementTimeoutMs = options.statementTimeoutSeconds * 1_000
  const answerMs = statementTimeoutMs + answerGraceSeconds * 1_000
  // An open transaction keeps alive every row that was deleted since it began, so no transaction may stay open unnoticed.
  const timeouts = (scope: '' | 'local ') =>
    `set ${scope}statement_timeout = ${statementTimeoutMs}; set ${scope}idle_in_transaction_session_timeout = ${statementTimeoutMs + idleGraceSeconds * 1_000}`
  const connectMs = (options.connectSeconds ?? 5) * 1_000
  const keepsSession = (options.databasePooling ?? 'session') === 'session'
  const asking = options.allowsStandby ? '' : `; ${asksForServer}`
  const timeline = timelineWatch()
  let isCitus = false
  const begun = (answers: unknown) => {
    if (options.allowsStandby) return
    const primary = requirePrimary(answers)
    isCitus = primary.citus
    timeline.saw(primary.timeline)
  }

  const pool = new Pool({
    application_name: 'octavo',
    Client: class extends BytesClient {
      constructor(config?: ClientConfig) {
        super({ ...config, connectionString: servers.current() })
      }
    },
    ...(keepsSession && {
      // The pool awaits it, although its type does not mention a promise.
      // oxlint-disable-next-line no-misused-promises
      onConnect: async (client) => {
        // Not sent as connection parameters: a pooler refuses those that it does not know.
        const text = `${sessionSettings}; ${timeouts('')}${asking}`
        begun(await client.query(withinMs(connectMs, { text })))
      },
    }),
    // A commit is several statements; sent together, they hold the clock row for one round trip less each.
    pipeline: true,
    max: options.databasePoolSize,
    query_timeout: answerMs,
    // A machine that is gone sends nothing: without keep-alive, an idle connection to it seems fine for hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Without it a request would wait for ever when the database does not answer.
    connectionTimeoutMillis: connectMs,
  })
  return {
    ...trustedConnections(pool, servers, observe),
    onNewTimeline: timeline.onChange,
    isCitus: () => isCitus,
    answerMs,
    begin: keepsSession ? 'begin' : `begin; ${transactionSettings}; ${timeouts('local ')}${asking}`,
    begun: keepsSession ? () => {} : begun,
    keepsSession,
  }
}

// A failover and a restore each start a new timeline: the last changes of the old one may be lost, and their numbers are
// assigned again. Every new connection reports which timeline it leads to.

function timelineWatch() {
  const listeners: (() => void)[] = []
  let last: string | undefined
  return {
    saw: (timeline: string) => {
      const isNew = last !== undefined && last !== timeline
      last = timeline
      if (isNew) for (const listener of listeners) listener()
    },
    onChange: (listener: () => void) => void listeners.push(listener),
  }
}
