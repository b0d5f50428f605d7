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
