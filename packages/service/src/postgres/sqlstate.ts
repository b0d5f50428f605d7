// The one place that reads SQLSTATE. Constraint names differ between nodes of a cluster, so they are never read.

const states = {
  unknownStatement: '26000',
  duplicateStatement: '42P05',
  uniqueViolation: '23505',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  deadlock: '40P01',
  undefinedTable: '42P01',
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
 * PostgreSQL itself sent it. Errors of the network have codes of five letters too, such as EPIPE; and with a code of
 * connections (08) a pooler tells that it has lost the server, and knows no more than we do.
 */
export const isFromServer = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && stateOf(error)?.startsWith('08') === false

/** What we think the server has prepared is not what it has. */
export const isMisnamed = (error: unknown): boolean =>
  hasState(error, 'unknownStatement') || hasState(error, 'duplicateStatement')

/**
 * The connection is as good as before: the server refused a statement, and will do the next one. One that leads to a
 * server that refuses changes is not: the next one may lead to the primary. Nor is one that knows a name of ours for
 * something else.
 */
export const leavesConnection = (error: unknown): boolean =>
  isFromServer(error) && !/^(57P|25006|42P05)/.test(stateOf(error) ?? '')

const passing = new RegExp(
  [
    '08...', // connection exception
    '25006', // read-only transaction: a standby, or a server that is being replaced
    '25P03', // a transaction waited for us longer than the server allows
    '28...|3D000', // not let in: the server, or the pooler in front of it, is not set up for us
    '40001|40P01', // serialization failure, deadlock
    '53...', // insufficient resources: too many connections, no memory, no room
    '55P03', // lock not available
    '57P0[1-5]', // shutdown, crash, starting up, database dropped, idle session ended
  ]
    .map((state) => `^(?:${state})$`)
    .join('|'),
)

/** The server cannot do it now; the same statement may succeed when it is sent again. */
export const isPassing = (error: unknown): boolean => passing.test(stateOf(error) ?? '')
