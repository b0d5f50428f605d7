// How PostgreSQL formats values and plans statements for us. Every statement of ours is written for one plan: index ranges in
// order. With its defaults, PostgreSQL plans each page and each commit again (about 1 ms for a commit), or keeps a plan that it
// made when a table was still empty and reads the whole table when it has grown.

import { hasCitus } from './has-citus.ts'

const settings = {
  // Positions are sent as text, so all sessions must write and read the same text.
  datestyle: 'ISO',
  timezone: 'UTC',
  extra_float_digits: '1',
  enable_seqscan: 'off',
  // Two tables are joined by index lookups only, whatever their sizes were when the plan was made.
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Rows that an index gives in order are never collected and sorted instead. For a range whose values PostgreSQL does not know,
  // it expects so few rows that it would sort (11,405 buffers against 106 for a page of 100, measured on 100,000 objects).
  enable_sort: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
} as const

/** Settings for the whole session. */
export const sessionSettings = asText('session')

/** Settings for one transaction only. */
export const transactionSettings = asText('local')

/**
 * Settings of our role, for the nodes of a Citus cluster: a node that executes a statement for another one has a session that we
 * do not see.
 */
export const roleSettings = Object.entries(settings)

/** What a session on one PostgreSQL has in the end: for benchmarks that compare with it. */
export const settingsOnOneServer: readonly (readonly [name: string, value: string])[] = [
  ...roleSettings,
  ['plan_cache_mode', 'force_generic_plan'],
]

function asText(scope: 'session' | 'local'): string {
  const set = scope === 'local' ? 'set local' : 'set'
  return [
    ...Object.entries(settings).map(([name, value]) => `${set} ${name} = ${value}`),
    // Citus: `set local` also applies on the nodes that execute the transaction. PostgreSQL alone ignores the setting.
    `${set} citus.propagate_set_commands = local`,
    // One plan for all values of the parameters. Citus cannot plan a commit that way.
    `select set_config('plan_cache_mode', case when ${hasCitus} then 'auto' else 'force_generic_plan' end, ${scope === 'local'})`,
  ].join('; ')
}
