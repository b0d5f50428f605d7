// The only place that reads SQLSTATE. Constraint names differ between nodes of a cluster, so they are never read.
import type { SourceRefusal } from '../base/errors/source-failure.ts'

const states = {
  unknownStatement: '26000',
  duplicateStatement: '42P05',
  uniqueViolation: '23505',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  deadlock: '40P01',
  undefinedTable: '42P01',
  undefinedSchema: '3F000',
  undefinedColumn: '42703',
  readOnly: '25006',
  diskFull: '53100',
} as const

const stateOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

export const hasState = (error: unknown, state: keyof typeof states): boolean =>
  stateOf(error) === states[state]

/** The server refused a statement inside a transaction, so that nothing of the transaction was committed. */
export const isRolledBack = (error: unknown): boolean =>
  /^(22|23|40|42|54)[0-9A-Z]{3}$/.test(stateOf(error) ?? '')

/**
 * Whether PostgreSQL itself sent the error. Network errors can have codes of five letters too, such as EPIPE. With a connection
 * exception (08), a pooler reports that it has lost the server, and knows no more than we do.
 */
export const isFromServer = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && stateOf(error)?.startsWith('08') === false

export const isInternal = (error: unknown): boolean => stateOf(error)?.startsWith('XX') ?? false

/** The server's prepared statements are not those that we believe it has. */
export const isMisnamed = (error: unknown): boolean =>
  hasState(error, 'unknownStatement') || hasState(error, 'duplicateStatement')

/**
 * Whether the connection can still be used: the server refused a statement, and will execute the next one. Not so if the server
 * refuses changes: a new connection may lead to the primary. Nor if the server has one of our statement names for another
 * statement.
 */
export const leavesConnection = (error: unknown): boolean =>
  isFromServer(error) && !/^(57P|25006|42P05)/.test(stateOf(error) ?? '')

const passing = new RegExp(
  [
    '08...', // connection exception
    '25006', // read-only transaction: a standby, or a server that is being replaced
    '25P03', // the server's time-out for an idle transaction of ours
    '28...|3D000', // access refused: the server, or the pooler in front of it, is not set up for us
    '40001|40P01', // serialization failure, deadlock
    '53...', // insufficient resources: too many connections, no memory, no room
    '55P03', // lock not available
    '57P0[1-5]', // shutdown, crash, starting up, database dropped, idle session ended
  ]
    .map((state) => `^(?:${state})$`)
    .join('|'),
)

/** The server cannot do it now; the same statement may succeed when it is retried. */
export const isPassing = (error: unknown): boolean => passing.test(stateOf(error) ?? '') || isFatal(error)

/**
 * The server has ended the session or has not opened it, for whatever reason: with a full disk, it cannot write a file that each new
 * session needs, and calls that an internal error.
 */
const isFatal = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC')

/** The server has not opened a session because it lacks something, such as room on its disk, memory or places for sessions. */
export const hasNoRoom = (error: unknown): boolean => isFatal(error) && /^(53|XX)/.test(stateOf(error) ?? '')

const refusals: readonly (readonly [SourceRefusal, RegExp])[] = [
  ['no access', /^28...$/],
  ['no database', /^3D000$/],
  ['no right', /^42501$/],
]

/** Why a server turned us away, if it is one of the reasons that its users can mend. */
export const refusalOf = (error: unknown): SourceRefusal | undefined =>
  refusals.find(([, state]) => state.test(stateOf(error) ?? ''))?.[0]
