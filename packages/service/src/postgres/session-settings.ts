// How PostgreSQL writes and plans for us. Every statement of ours is written for one plan: index ranges in order. Left to itself
// PostgreSQL plans each page and each commit anew (about 1 ms for a commit), or keeps a plan that it made when a table
// was still empty and reads the whole table when it has grown.

const settings = {
  // Positions travel as text: it must be the text that every session writes and reads alike.
  datestyle: 'ISO',
  timezone: 'UTC',
  extra_float_digits: '1',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  // Two tables meet by index lookups only, whatever their sizes were when the plan was made.
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // What an index gives in order is never gathered and sorted instead: for a range whose values PostgreSQL does not know
  // it expects so few rows that it would (11,405 buffers against 106 for a page of 100, measured on 100,000 objects).
  enable_sort: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
} as const

/** For as long as a session lasts. */
export const sessionSettings = asText('session')

/** Only for the transaction that they stand in. */
export const transactionSettings = asText('local')

function asText(scope: 'session' | 'local'): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${scope === 'local' ? 'local ' : ''}${name} = ${value}`)
    .join('; ')
}
