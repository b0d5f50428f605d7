// The one place that reads SQLSTATE. Constraint names differ between nodes of a cluster, so they are never read.

const states = {
  uniqueViolation: '23505',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  deadlock: '40P01',
  undefinedTable: '42P01',
  undefinedColumn: '42703',
} as const

export const hasState = (error: unknown, state: keyof typeof states): boolean =>
  error instanceof Error && 'code' in error && error.code === states[state]

/** The server refused a statement inside a transaction, so that nothing of the transaction was committed. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(22|23|40|42|54)[0-9A-Z]{3}$/.test(String(error.code))

const passing = new RegExp(
  [
    '08...', // connection exception
    '25006', // read-only transaction: a standby, or a server that is being replaced
    '40001|40P01', // serialization failure, deadlock
    '53...', // insufficient resources: too many connections, no memory, no room
    '55P03', // lock not available
    '57P0[1-5]', // shutdown, crash, starting up, database dropped, idle session ended
  ]
    .map((state) => `^(?:${state})$`)
    .join('|'),
)

/** The server cannot do it now; the same statement may succeed when it is sent again. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && passing.test(String(error.code))
